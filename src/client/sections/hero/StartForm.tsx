import { type SyntheticEvent, useRef } from 'react';
import { styled } from 'styled-components';
import { callToAction, hero } from '#shared/brand/landing.ts';
import { media, token } from '#client/theme/tokens.ts';
import { ButtonLink } from '#client/ui/Button.tsx';
import { onLight } from '#client/ui/Section.tsx';
import { providerFormAnchor } from '#shared/pages/paths.ts';

interface StartFormProps {
  onZip: (zip: string) => boolean;
}

/**
 * A link to the lead form, on wide screens with a ZIP field that fills in the form's. The field has no `name`, so that
 * a submit without scripts goes to the form and leaves no ZIP in the URL.
 */
export function StartForm({ onZip }: StartFormProps) {
  const zipInput = useRef<HTMLInputElement>(null);

  function carryZip(event: SyntheticEvent) {
    const zip = zipInput.current?.value.trim() ?? '';
    if (zip !== '' && onZip(zip)) event.preventDefault();
  }

  return (
    <Form action={`#${providerFormAnchor}`} onSubmit={carryZip}>
      <ZipLabel>
        {hero.zipLabel}
        <ZipInput
          ref={zipInput}
          type="text"
          inputMode="numeric"
          autoComplete="postal-code"
          maxLength={5}
          placeholder={hero.zipPlaceholder}
        />
      </ZipLabel>
      <StartLink href={`#${providerFormAnchor}`} size="large" onClick={carryZip}>
        {callToAction.start}
      </StartLink>
    </Form>
  );
}

const Form = styled.form`
  display: flex;

  ${media.tablet} {
    ${onLight}
    max-inline-size: 29rem;
    padding: 0.375rem;
    /* Visible if colors are forced. */
    border: 1px solid transparent;
    border-radius: ${token.pill};
    background: ${token.background};
    box-shadow: ${token.shadow};

    &:focus-within:has(input:focus-visible) {
      outline: 3px solid #ffffff;
      outline-offset: 3px;
    }
  }
`;

const ZipLabel = styled.label`
  display: none;

  ${media.tablet} {
    display: block;
    flex: 1;
    min-inline-size: 0;
    padding: 0.375rem 0.5rem 0 1.5rem;
    color: ${token.muted};
    font-size: 0.8125rem;
    font-weight: 500;
    line-height: 1.2;
    cursor: text;
  }
`;

const ZipInput = styled.input`
  display: block;
  inline-size: 100%;
  padding: 0;
  border: 0;
  background: none;
  color: ${token.foreground};
  font: inherit;
  font-size: ${token.textLarge};
  font-variant-numeric: tabular-nums;
  line-height: 1.5;

  &::placeholder {
    color: ${token.muted};
    opacity: 0.8;
  }

  &:focus {
    outline: none;
  }
`;

const StartLink = styled(ButtonLink)`
  flex: 1;

  ${media.tablet} {
    flex: none;
  }
`;

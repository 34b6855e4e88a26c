import { type RefObject, type SyntheticEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { styled } from 'styled-components';
import { callToAction } from '#shared/brand/calls.ts';
import { hero } from '#shared/brand/hero.ts';
import { invalidZip, matchPreviewTexts } from '#shared/brand/matchPreview.ts';
import { prefillZip, prepareForm } from '#client/forms/lead/prefillZip.ts';
import { type MatchPreviewState, buildPreview, useMatchPreview } from '#client/forms/lead/useMatchPreview.ts';
import { needsScripts, token } from '#client/theme/tokens.ts';
import { ButtonLink } from '#client/ui/Button.tsx';
import { controlLook, FieldError } from '#client/ui/Field.tsx';
import { BadgeCheck, MapPin } from '#client/ui/Icon.tsx';
import { providerFormAnchor } from '#shared/pages/paths.ts';
import { dropBeforeZip } from '#client/forms/lead/zipEntered.ts';
import { zipInText } from '#shared/leads/zip.ts';

/** How long the way to the form waits for the provider's name. */
const previewWaitMs = 1500;

const inputId = 'start-zip';
const errorId = `${inputId}-error`;

/**
 * The page's first ZIP field: names the provider, then leads to the form and fills in any ZIP. It has no `name`, so a
 * submit without scripts goes to the form and leaves no ZIP in the URL.
 */
export function StartForm() {
  const zipInput = useRef<HTMLInputElement>(null);
  const last = useRef<string>(null);
  const [isInvalid, setIsInvalid] = useState(false);
  const [zip, setZip] = useState<string | null>(null);

  function start(event: SyntheticEvent) {
    const typed = zipInput.current?.value.trim() ?? '';
    if (typed === '') {
      if (prefillZip('')) event.preventDefault();
      return;
    }
    event.preventDefault();
    const accepted = zipInText(typed);
    flushSync(() => {
      setIsInvalid(accepted === null);
      setZip(accepted);
    });
    if (accepted === null) zipInput.current?.focus();
    else void goToForm(accepted, last);
  }

  return (
    <div>
      <Form action={`#${providerFormAnchor}`} onSubmit={start}>
        <ZipLabel htmlFor={inputId}>
          {hero.zipLabel}
          <ZipInput
            ref={zipInput}
            id={inputId}
            type="text"
            inputMode="numeric"
            autoComplete="postal-code"
            enterKeyHint="go"
            maxLength={5}
            aria-invalid={isInvalid ? true : undefined}
            aria-describedby={isInvalid ? errorId : undefined}
            onInput={({ currentTarget }) => {
              dropBeforeZip(currentTarget);
              if (zipInText(currentTarget.value) !== null) setIsInvalid(false);
            }}
          />
        </ZipLabel>
        <StartLink href={`#${providerFormAnchor}`} size="large" onClick={start}>
          {callToAction.start}
        </StartLink>
      </Form>
      <Below>
        <FieldError id={errorId} message={isInvalid ? invalidZip : undefined} />
        <div aria-live="polite">{zip === null ? null : <ProviderChip zip={zip} />}</div>
      </Below>
    </div>
  );
}

/** Leaves time to name the provider, but a slow response delays nobody. Only the ZIP entered last goes on. */
async function goToForm(zip: string, last: RefObject<string | null>): Promise<void> {
  last.current = zip;
  prepareForm(zip);
  const waited = new Promise((resolve) => setTimeout(resolve, previewWaitMs));
  await Promise.race([buildPreview(zip), waited]);
  if (last.current === zip) prefillZip(zip);
}

function ProviderChip({ zip }: { zip: string }) {
  const state = useMatchPreview(zip);
  const Icon = state.kind === 'found' ? BadgeCheck : MapPin;
  return (
    <Chip data-chip={state.kind}>
      <Icon />
      <span>{chipText(zip, state)}</span>
    </Chip>
  );
}

function chipText(zip: string, state: MatchPreviewState): string {
  if (state.kind === 'beyond') return matchPreviewTexts.none(zip);
  if (state.kind !== 'found') return matchPreviewTexts[state.kind](zip);
  const { name, distanceMiles } = state.provider;
  const distance = distanceMiles === null ? '' : `, ${matchPreviewTexts.distance(distanceMiles)}`;
  return `${matchPreviewTexts.found(zip)} ${name}${distance}`;
}

/** Without scripts nobody could carry the ZIP to the form: there is only the way to it. */
const Form = styled.form`
  display: flex;
  gap: 0.75rem;
  align-items: end;
  max-inline-size: 26rem;
`;

const ZipLabel = styled.label`
  flex: 0 0 7rem;
  display: grid;
  gap: 0.375rem;
  font-size: 0.875rem;
  font-weight: 550;
  line-height: 1.4;
  white-space: nowrap;
  ${needsScripts}
`;

const ZipInput = styled.input`
  ${controlLook}
  min-block-size: 52px;
  padding: 0 0.875rem;
`;

const StartLink = styled(ButtonLink)`
  flex: 1;
  padding-inline: 0.875rem;
`;

/** The messages of the field. */
const Below = styled.div`
  max-inline-size: 29rem;
  margin-block-start: 0.75rem;
`;

const Chip = styled.p`
  display: inline-grid;
  grid-template-columns: 1.25rem minmax(0, 1fr);
  gap: 0.625rem;
  align-items: start;
  padding: 0.625rem 1rem 0.625rem 0.75rem;
  border: 1px solid var(--surface-line);
  border-radius: ${token.radius};
  line-height: 1.5;
  overflow-wrap: anywhere;

  & > svg {
    inline-size: 1.25rem;
    block-size: 1.5em;
  }
`;

import { useState } from 'react';
import { styled } from 'styled-components';
import { useSite } from '#client/api/tenant.tsx';
import { needsScripts, notPrinted, token } from '#client/theme/tokens.ts';
import { Button, ButtonLink } from '#client/ui/Button.tsx';
import { SmallTitle } from '#client/ui/Section.tsx';
import { success } from '#shared/brand/success.ts';
import { paths } from '#shared/pages/paths.ts';

/** A text for a clinic near the visitor that isn't a provider yet. It says nothing of the visitor. */
export function ClinicNote() {
  const { note } = success.noProvider;
  const { mainOrigin } = useSite();
  const [isCopied, setIsCopied] = useState(false);
  const text = note.text(`${mainOrigin}${paths.recruitment}?from=visitor`);

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      setIsCopied(true);
    } catch {
      // Without permission, the text can be selected.
    }
  }

  return (
    <section aria-labelledby="clinic-note-title">
      <SmallTitle as="h3" id="clinic-note-title">
        {note.title}
      </SmallTitle>
      <Text>{text}</Text>
      <Actions>
        <CopyButton variant="secondary" onClick={() => void copy()}>
          <span aria-live="polite">{isCopied ? note.copied : note.copy}</span>
        </CopyButton>
        <ButtonLink
          variant="quiet"
          href={`mailto:?subject=${encodeURIComponent(note.subject)}&body=${encodeURIComponent(text)}`}
        >
          {note.email}
        </ButtonLink>
      </Actions>
    </section>
  );
}

const Text = styled.blockquote`
  margin: 0.75rem 0;
  padding-inline-start: 1rem;
  border-inline-start: 1px solid ${token.line};
  line-height: 1.5;
  overflow-wrap: anywhere;
`;

const Actions = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: 0.5rem;
  ${notPrinted}
`;

const CopyButton = styled(Button)`
  ${needsScripts}
`;

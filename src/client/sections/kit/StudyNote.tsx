import { type ComponentType, type MouseEvent, useState } from 'react';
import { createPortal } from 'react-dom';
import { styled } from 'styled-components';
import { wantsNewTab } from '#client/browser/location.ts';
import { useBoot, useCopy } from '#client/api/tenant.tsx';
import { studyNote } from '#shared/brand/calls.ts';
import { studyPath } from '#shared/pages/paths.ts';
import { media } from '#client/theme/tokens.ts';
import type { StudyDialogProps } from './StudyDialog.tsx';

interface StudyTextProps {
  text: string;
  /** What is before the text, if it is only a part of the claim. */
  figure?: string;
  /** The claim of a mark that names none (`¹`). */
  claim?: string | undefined;
}

/** Text in which the mark of a claim becomes a link to what is known about its study (`mark` in brand/calls.ts). */
export function StudyText({ text, figure = '', claim }: StudyTextProps) {
  const [before = '', named, after] = text.split(/¹(?:\[([a-z-]+)\])?/);
  const id = named ?? claim;
  if (after === undefined || id === undefined) return text.replace('¹', '');
  const sentence = before.slice(before.lastIndexOf('. ') + 1).trim();
  return (
    <>
      {before}
      <StudyMark claim={id} statement={`${figure} ${sentence}`.trim()} />
      {after}
    </>
  );
}

interface StudyMarkProps {
  claim: string;
  /** The claim as the page states it, for the mark's name: a page has several marks. */
  statement: string;
}

/** Opens what is known about a claim in a dialog; the page with the same text where scripts don't run. */
export function StudyMark({ claim, statement }: StudyMarkProps) {
  const [Shown, setShown] = useState<ComponentType<StudyDialogProps> | null>(null);
  const href = `${studyPath(useBoot().page.kind)}#${claim}`;

  async function open(): Promise<void> {
    try {
      const { StudyDialog } = await import('./StudyDialog.tsx');
      setShown(() => StudyDialog);
    } catch {
      window.location.assign(href);
    }
  }

  function onClick(event: MouseEvent): void {
    if (wantsNewTab(event)) return;
    event.preventDefault();
    void open();
  }

  return (
    <>
      <Mark
        href={href}
        aria-haspopup="dialog"
        aria-label={`${studyNote.markLabel}: ${statement}`}
        onClick={onClick}
      >
        {studyNote.mark}
      </Mark>
      {Shown === null
        ? null
        : createPortal(<Shown claim={claim} onClose={() => setShown(null)} />, document.body)}
    </>
  );
}

/** What the figures of a page are, once per page, with the way to all claims. */
export function StudyNote({ className }: { className?: string }) {
  const { mark, text, more } = useCopy(studyNote);
  const { page } = useBoot();
  return (
    <Note className={className}>
      <sup>{mark}</sup>
      {` ${text} `}
      <a href={studyPath(page.kind)}>{more}</a>
    </Note>
  );
}

const Mark = styled.a`
  /* A digit is narrow: the padding makes it 24 px wide for a thumb. */
  margin: -0.875em;
  padding: 0.875em;
  color: inherit;
  font-size: 0.6875em;
  font-weight: 600;
  line-height: 1;
  text-decoration: none;
  vertical-align: 0.45em;

  &:hover {
    text-decoration: underline;
  }

  &:focus-visible {
    border-radius: 4px;
    outline: 3px solid var(--focus);
    outline-offset: -4px;
  }
`;

const Note = styled.p`
  max-inline-size: 38rem;
  color: var(--surface-muted);
  font-size: 0.9375rem;
  line-height: 1.5;

  & > sup {
    font-size: 0.75em;
    line-height: 0;
  }

  ${media.desktop} {
    padding-block-start: 0.75rem;
    border-block-start: 1px solid var(--surface-line);
    font-size: 0.875rem;
  }
`;

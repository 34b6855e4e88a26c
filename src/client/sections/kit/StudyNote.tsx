import { styled } from 'styled-components';
import { studyNote } from '#shared/brand/calls.ts';

interface StudyTextProps {
  text: string;
  /** What is before the text, if it is only a part of the claim. */
  figure?: string;
}

/** Text in which `¹` becomes a link to the page's study note. Its name has the claim: a page has several. */
export function StudyText({ text, figure = '' }: StudyTextProps) {
  const [before, after] = text.split('¹');
  if (after === undefined) return text;
  const sentence = before?.slice(before.lastIndexOf('. ') + 1).trim() ?? '';
  const claim = `${figure} ${sentence}`.trim();
  return (
    <>
      {before}
      <Mark href={`#${studyNote.id}`} aria-label={`${studyNote.markLabel}: ${claim}`}>
        1
      </Mark>
      {after}
    </>
  );
}

/** The note that the marks of a page's claims link to; once per page. */
export function StudyNote({ className }: { className?: string }) {
  return (
    <Note id={studyNote.id} className={className}>
      <sup>{studyNote.mark}</sup>
      {` ${studyNote.text}`}
    </Note>
  );
}

const Mark = styled.a`
  margin: -0.75em -0.5em;
  padding: 0.75em 0.5em;
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
  scroll-margin-block-start: calc(var(--header-size) + 2rem);

  & > sup {
    font-size: 0.75em;
    line-height: 0;
  }
`;

import { styled } from 'styled-components';

export interface FootnotedProps {
  /** Text with at most one `¹`. */
  text: string;
  /** Id of the note in the page. */
  noteId: string;
  /** What a screen reader calls the mark; contains the visible `1`. */
  markLabel: string;
}

/** Text in which `¹` becomes a link to its footnote. */
export function Footnoted({ text, noteId, markLabel }: FootnotedProps) {
  const [before, after] = text.split('¹');
  if (after === undefined) return text;
  return (
    <>
      {before}
      <Mark href={`#${noteId}`} aria-label={markLabel}>
        1
      </Mark>
      {after}
    </>
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

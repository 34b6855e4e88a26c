import { styled } from 'styled-components';

export interface FootnoteProps {
  /** Where the marks in the text lead (Footnoted). */
  id: string;
  mark: string;
  text: string;
}

/** The note that the marks of a page's claims point to; once a page. */
export function Footnote({ id, mark, text }: FootnoteProps) {
  return (
    <Note id={id}>
      <sup>{mark}</sup> {text}
    </Note>
  );
}

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

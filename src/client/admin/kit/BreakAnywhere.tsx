import { css, styled } from 'styled-components';

/** An address that, where it is too long for a line, breaks before a sign instead of inside a word. */
export function BreakAnywhere({ text, before }: { text: string; before: '@' | '.' }) {
  const at = text.indexOf(before, 1);
  if (at === -1) return text;
  return (
    <>
      {text.slice(0, at)}
      <wbr />
      <BreakAnywhere text={text.slice(at)} before={before} />
    </>
  );
}

/** The look of text that strangers type: a word of a hundred letters breaks, and pushes no other column away. */
export const typedLook = css`
  max-inline-size: 20rem;
  overflow-wrap: anywhere;
`;

/** Text that strangers type. */
export const Typed = styled.span`
  display: inline-block;
  ${typedLook}
`;

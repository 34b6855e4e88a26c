import { styled } from 'styled-components';
import { token } from '../theme/tokens.ts';

/** Text whose ranges of figures, such as 24-48 or $2K-8K, stay on one line; browsers break after their hyphen. */
export function NoWrap({ text }: { text: string }) {
  return text
    .split(/(\S*\d\w*-\d\S*)/)
    .map((part, index) => (index % 2 === 1 ? <Range key={part}>{part}</Range> : part));
}

const Range = styled.span`
  white-space: nowrap;
`;

/** Names a card, a step or another small block. Use `as` for its level. */
export const SmallTitle = styled.h3`
  color: var(--surface-heading);
  font-size: ${token.titleSmall};
  font-weight: 700;
  letter-spacing: -0.01em;
  line-height: 1.2;
`;

/** Text for screen readers only. */
export const VisuallyHidden = styled.span`
  position: absolute;
  inline-size: 1px;
  block-size: 1px;
  margin: -1px;
  overflow: hidden;
  clip-path: inset(50%);
  white-space: nowrap;
`;

import { styled } from 'styled-components';
import { token } from '../theme/tokens.ts';

/** Names a card, a step or another small block. Use `as` for its level. */
export const SmallTitle = styled.h3`
  color: var(--surface-heading);
  font-size: ${token.titleSmall};
  font-weight: 700;
  letter-spacing: -0.01em;
  line-height: 1.2;
`;

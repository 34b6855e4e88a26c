import { styled } from 'styled-components';
import { token } from '../theme/tokens.ts';

/** The one line a page leads with. */
export const DisplayTitle = styled.h1`
  color: var(--surface-heading);
  font-size: ${token.display};
  font-weight: 700;
  letter-spacing: -0.03em;
  line-height: 1.05;
  text-wrap: balance;
`;

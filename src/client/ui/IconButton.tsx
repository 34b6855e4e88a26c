import { styled } from 'styled-components';
import { token } from '../theme/tokens.ts';

/** A round button of 44 px with only an icon; it needs an `aria-label`. */
export const IconButton = styled.button`
  display: grid;
  place-items: center;
  flex: none;
  inline-size: 2.75rem;
  block-size: 2.75rem;
  border: 0;
  border-radius: ${token.pill};
  background: none;
  color: var(--surface-heading);
  cursor: pointer;

  &:hover {
    background: ${token.tint};
  }
`;

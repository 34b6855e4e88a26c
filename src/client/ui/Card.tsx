import { styled } from 'styled-components';
import { media, token } from '../theme/tokens.ts';
import { onLight } from './Section.tsx';

/** A white sheet with a soft shadow, light on any background. Use `as` for its element. */
export const Card = styled.div`
  ${onLight}
  min-inline-size: 0;
  padding: 1.5rem;
  border: 1px solid ${token.line};
  border-radius: ${token.radius};
  background: ${token.background};
  box-shadow: ${token.shadow};

  ${media.tablet} {
    padding: 2rem;
  }
`;

import { styled } from 'styled-components';
import { media, token } from '../theme/tokens.ts';

/** The placeholder of a line of text that is loading. A group of them needs one text that says what is loading. */
export const Skeleton = styled.span.attrs({ 'aria-hidden': true })<{ $width?: string }>`
  display: block;
  inline-size: ${({ $width = '100%' }) => $width};
  max-inline-size: 100%;
  block-size: 0.875rem;
  border-radius: 4px;
  background: linear-gradient(90deg, ${token.line} 25%, ${token.tint} 50%, ${token.line} 75%);
  background-size: 400% 100%;
  animation: skeleton 1.6s linear infinite;

  @keyframes skeleton {
    from {
      background-position: 100% 0;
    }

    to {
      background-position: 0 0;
    }
  }

  ${media.reducedMotion} {
    background: ${token.line};
    animation: none;
  }
`;

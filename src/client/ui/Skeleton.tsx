import { styled } from 'styled-components';
import { token } from '../theme/tokens.ts';

/**
 * The placeholder of a line of text that is loading: an empty span. A group of them needs one text that says what is
 * loading.
 */
export const Skeleton = styled.span.attrs({ 'aria-hidden': true })<{ $width?: string }>`
  display: grid;
  align-items: center;
  inline-size: ${({ $width = '100%' }) => $width};
  max-inline-size: 100%;
  block-size: 0.875rem;
  border-inline: 1px solid ${token.inputLine};

  &::before {
    border-block-start: 1px solid ${token.line};
    content: '';
  }
`;

import { css, styled } from 'styled-components';
import { media } from '#client/theme/tokens.ts';

/** For wide screens: content, and a margin for the notes about it. */
export const marginColumns = css`
  display: grid;
  grid-template-columns: minmax(0, 1fr) 11.5rem;
  column-gap: 2rem;
`;

/** A note in that margin. */
export const inMargin = css`
  grid-column: 2;
  align-self: start;
`;

/** Content and, as the last child, a note about it: below the content, on wide screens in the margin beside it. */
export const Noted = styled.div`
  ${media.desktop} {
    ${marginColumns}

    & > * {
      grid-column: 1;
    }

    & > :last-child {
      ${inMargin}
      grid-row: 1 / span 2;
    }
  }
`;

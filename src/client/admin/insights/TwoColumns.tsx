import { styled } from 'styled-components';
import { media } from '#client/theme/tokens.ts';

/** A chart and its table: stacked, or side by side on a desktop. */
export const TwoColumns = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 1.25rem;

  ${media.desktop} {
    grid-template-columns: minmax(0, 3fr) minmax(0, 2fr);
    gap: 2rem;
  }
`;

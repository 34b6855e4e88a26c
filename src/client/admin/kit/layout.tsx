import { styled } from 'styled-components';
import { media, token } from '#client/theme/tokens.ts';
import { touchTarget } from '#client/ui/Table.tsx';

/** Parts below one another, none wider than the place. */
export const Stack = styled.div<{ $gap?: string }>`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: ${({ $gap = '1rem' }) => $gap};
`;

/** Parts beside one another that wrap. */
export const Row = styled.div<{ $gap?: string }>`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: ${({ $gap = '0.5rem' }) => $gap};
`;

/** Parts beside each other where the page has room for two. */
export const TwoColumns = styled(Stack)`
  ${media.tablet} {
    grid-template-columns: repeat(2, minmax(0, 1fr));
  }
`;

/** A link with a line of its own. */
export const LinkLine = styled.p`
  ${media.touch} {
    & > a {
      ${touchTarget}
    }
  }
`;

/** Small secondary text. */
export const Muted = styled.span<{ $size?: string }>`
  color: ${token.muted};
  font-size: ${({ $size = '0.8125rem' }) => $size};
`;

/** Secondary text with figures or times. */
export const MutedFigures = styled.span`
  color: ${token.muted};
  font-size: 0.875rem;
  font-variant-numeric: tabular-nums;
`;

export const Legend = styled.legend`
  padding: 0;
  font-weight: 600;
`;

/** A cell whose text breaks anywhere: addresses and ids have no spaces. */
export const LongCell = styled.td`
  overflow-wrap: anywhere;
`;

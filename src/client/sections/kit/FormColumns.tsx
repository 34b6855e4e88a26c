import { styled } from 'styled-components';
import { media } from '#client/theme/tokens.ts';
import { Container } from '#client/ui/Section.tsx';

/** Text beside a form of at most 30rem, at the top of a page. Narrow screens stack them. */
export const FormColumns = styled(Container)`
  display: grid;
  gap: 2.5rem;
  padding-block: 2.5rem 4rem;

  ${media.tablet} {
    padding-block: 4rem 5rem;
  }

  ${media.desktop} {
    grid-template-columns: minmax(0, 1fr) minmax(0, 30rem);
    gap: 5rem;
    align-items: start;
  }
`;

/** Text that stays in view beside a long form on wide screens, this far below the header. */
export const StickyText = styled.div<{ $belowHeader: string }>`
  ${media.desktop} {
    position: sticky;
    inset-block-start: calc(var(--header-size) + ${({ $belowHeader }) => $belowHeader});
  }
`;

import { styled } from 'styled-components';
import { media, token } from '#client/theme/tokens.ts';
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

/** The title of a page of facts. */
export const PageTitle = styled.h1`
  font-size: clamp(${token.titleLarge}, 1.5rem + 2.5vw, 3rem);
  letter-spacing: -0.03em;
  line-height: 1.08;
`;

/** The column of a page of facts. */
export const PageColumn = styled(Container)`
  padding-block: 2.5rem ${token.sectionSpace};

  ${media.desktop} {
    padding-block-start: 3.5rem;
  }
`;

/** A phone number, an address or a website that is followed on its own. */
export const ContactLink = styled.a`
  display: inline-block;
  padding-block: 0.625rem;
  color: var(--surface-link);
  font-variant-numeric: tabular-nums;
  font-weight: 600;
`;

import { styled } from 'styled-components';
import { media, token } from '#client/theme/tokens.ts';
import { Container, onDark } from './Section.tsx';

/** The gradient a page may begin with. */
export const HeroBand = styled.section`
  overflow: hidden;
  background: ${token.gradient};
  ${onDark}
`;

/** Words beside a drawing, facts beneath. */
export const HeroLayout = styled(Container)`
  display: grid;
  gap: 2.5rem;
  padding-block: 3.5rem 2rem;

  ${media.tablet} {
    grid-template-columns: minmax(0, 1fr) 15rem;
    align-items: center;
    gap: 3rem 2rem;
    padding-block: 4rem 2.5rem;
  }

  ${media.desktop} {
    grid-template-columns: minmax(0, 7fr) minmax(0, 5fr);
    gap: 2.5rem 3rem;
    padding-block: 3.5rem 2.5rem;
  }
`;

/** The one sentence under the headline. */
export const HeroSentence = styled.p`
  max-inline-size: 30rem;
  margin-block: 1.5rem 2rem;
  font-size: ${token.textLarge};
  line-height: 1.6;
  text-wrap: pretty;
`;

import { styled } from 'styled-components';
import { useCopy } from '#client/api/tenant.tsx';
import { hero as heroCopy } from '#shared/brand/hero.ts';
import { media, token } from '#client/theme/tokens.ts';
import { GainFigure } from '#client/sections/kit/GainFigure.tsx';
import { HeroFacts, HeroSentence } from '#client/sections/kit/HeroBand.tsx';
import { Container, DisplayTitle } from '#client/ui/Section.tsx';
import { StartForm } from './StartForm.tsx';

/** One promise, one sentence, the ZIP, and the study's figures. */
export function Hero() {
  const hero = useCopy(heroCopy);
  return (
    <Layout as="section" aria-labelledby="hero-title">
      <Headline id="hero-title">{hero.title}</Headline>
      <div>
        <HeroSentence>{hero.lead}</HeroSentence>
        <StartForm />
      </div>
      <GainFigure />
      <HeroFacts label={hero.factsLabel} facts={hero.facts} />
    </Layout>
  );
}

const Layout = styled(Container)`
  display: grid;
  gap: 2.5rem;
  padding-block: 1rem 3rem;

  ${media.desktop} {
    grid-template-columns: minmax(0, 4fr) minmax(0, 7fr);
    gap: 3rem 5rem;
    padding-block-end: ${token.sectionSpace};
  }
`;

/** Two sentences, a line each on a phone. */
const Headline = styled(DisplayTitle)`
  margin-block-end: -1.5rem;

  ${media.desktop} {
    grid-column: 1 / -1;
    margin-block-end: 0;
  }
`;

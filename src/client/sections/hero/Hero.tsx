import { styled } from 'styled-components';
import { hero } from '#shared/brand/hero.ts';
import { media } from '#client/theme/tokens.ts';
import { HeroBand, HeroFacts, HeroLayout, HeroSentence } from '#client/sections/kit/HeroBand.tsx';
import { DisplayTitle } from '#client/ui/Section.tsx';
import { GainDial } from './GainDial.tsx';
import { StartForm } from './StartForm.tsx';

/** One promise, one sentence, the ZIP, and the study's figures. */
export function Hero() {
  return (
    <HeroBand aria-labelledby="hero-title">
      <HeroLayout>
        <div>
          <Headline id="hero-title">{hero.title}</Headline>
          <HeroSentence>{hero.lead}</HeroSentence>
          <StartForm />
        </div>
        <GainDial />
        <Facts label={hero.factsLabel} facts={hero.facts} />
      </HeroLayout>
    </HeroBand>
  );
}

const Headline = styled(DisplayTitle)`
  max-inline-size: 8em;
`;

/** The figure is beside its text on phones and desktops, above it on tablets. */
const Facts = styled(HeroFacts)`
  & > li {
    grid-template-columns: 5.5rem minmax(0, 1fr);
    align-items: baseline;
    gap: 1rem;
  }

  & > li > strong {
    font-variant-numeric: tabular-nums;
  }

  ${media.tablet} {
    & > li {
      grid-template-columns: auto;
      gap: 0.25rem;
    }
  }

  ${media.desktop} {
    & > li {
      grid-template-columns: auto minmax(0, 1fr);
      gap: 1rem;
    }
  }
`;

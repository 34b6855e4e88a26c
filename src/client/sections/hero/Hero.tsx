import { useCopy } from '#client/api/tenant.tsx';
import { hero as heroCopy } from '#shared/brand/hero.ts';
import { GainFigure } from '#client/sections/kit/GainFigure.tsx';
import { HeroFacts, HeroLayout, HeroSentence, HeroTitle } from '#client/sections/kit/HeroBand.tsx';
import { StartForm } from './StartForm.tsx';

/** One promise, one sentence, the ZIP, and the study's figures. */
export function Hero() {
  const hero = useCopy(heroCopy);
  return (
    <HeroLayout aria-labelledby="hero-title">
      <HeroTitle id="hero-title">{hero.title}</HeroTitle>
      <div>
        <HeroSentence>{hero.lead}</HeroSentence>
        <StartForm />
      </div>
      <GainFigure />
      <HeroFacts label={hero.factsLabel} facts={hero.facts} />
    </HeroLayout>
  );
}

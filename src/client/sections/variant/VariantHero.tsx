import { styled } from 'styled-components';
import { media } from '#client/theme/tokens.ts';
import { ButtonLink } from '#client/ui/Button.tsx';
import { CheckList } from '#client/sections/kit/CheckList.tsx';
import { StudyText } from '#client/sections/kit/StudyNote.tsx';
import { Eyebrow } from '#client/ui/Section.tsx';
import { HeroLayout, HeroSentence, HeroTitle } from '#client/sections/kit/HeroBand.tsx';
import { useCopy } from '#client/api/tenant.tsx';
import { variantHero as heroCopy } from '#shared/brand/variant.ts';
import { providerFormAnchor } from '#shared/pages/paths.ts';
import { GainFigure } from '#client/sections/kit/GainFigure.tsx';

/** The promise and its reasons beside the study's measurements. */
export function VariantHero() {
  const variantHero = useCopy(heroCopy);
  return (
    <HeroLayout aria-labelledby="variant-title">
      <Headline id="variant-title">{variantHero.title}</Headline>
      <div>
        <Eyebrow>{variantHero.eyebrow}</Eyebrow>
        <HeroSentence>{variantHero.lead}</HeroSentence>
        {/* Before the benefits, so that a phone's first screen has it. */}
        <Call href={`#${providerFormAnchor}`} size="large">
          {variantHero.action}
        </Call>
        <Benefits
          label={variantHero.benefitsLabel}
          items={variantHero.benefits.map(({ text }) => text)}
          render={(text) => (
            <StudyText
              text={text}
              claim={variantHero.benefits.find((benefit) => benefit.text === text)?.claim}
            />
          )}
        />
      </div>
      <GainFigure />
    </HeroLayout>
  );
}

const Headline = styled(HeroTitle)`
  font-size: clamp(2.25rem, 1.5rem + 3vw, 3.5rem);
`;

const Benefits = styled(CheckList)`
  --check-size: 1.5rem;

  gap: 0.875rem;
  margin-block-start: 2rem;

  & > li > svg {
    color: var(--surface-accent);
  }
`;

const Call = styled(ButtonLink)`
  inline-size: 100%;

  ${media.tablet} {
    inline-size: auto;
  }
`;

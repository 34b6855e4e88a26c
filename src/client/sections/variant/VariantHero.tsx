import { styled } from 'styled-components';
import { media, token } from '#client/theme/tokens.ts';
import { ButtonLink } from '#client/ui/Button.tsx';
import { CheckList } from '#client/sections/kit/CheckList.tsx';
import { StudyText } from '#client/sections/kit/StudyNote.tsx';
import { Container, DisplayTitle, Eyebrow } from '#client/ui/Section.tsx';
import { useCopy } from '#client/api/tenant.tsx';
import { variantHero as heroCopy } from '#shared/brand/variant.ts';
import { providerFormAnchor } from '#shared/pages/paths.ts';
import { GainFigure } from '#client/sections/kit/GainFigure.tsx';

/** The promise and its reasons beside the study's measurements. */
export function VariantHero() {
  const variantHero = useCopy(heroCopy);
  return (
    <Columns as="section" aria-labelledby="variant-title">
      <div>
        <Eyebrow>{variantHero.eyebrow}</Eyebrow>
        <Headline id="variant-title">{variantHero.title}</Headline>
        <Sentence>{variantHero.lead}</Sentence>
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
    </Columns>
  );
}

const Columns = styled(Container)`
  display: grid;
  gap: 3rem;
  padding-block: 2.5rem 4rem;

  ${media.desktop} {
    grid-template-columns: minmax(0, 1fr) minmax(0, 1fr);
    gap: 4rem;
    align-items: start;
  }
`;

const Headline = styled(DisplayTitle)`
  max-inline-size: 11em;
  font-size: clamp(2.25rem, 1.5rem + 3vw, 3.5rem);
`;

const Sentence = styled.p`
  max-inline-size: 33rem;
  margin-block: 1.5rem 2rem;
  font-size: ${token.textLarge};
`;

const Benefits = styled(CheckList)`
  --check-size: 1.5rem;

  gap: 0.875rem;
  max-inline-size: 33rem;
  margin-block-start: 2.5rem;

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

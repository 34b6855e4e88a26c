import { styled } from 'styled-components';
import { media, token } from '#client/theme/tokens.ts';
import { ButtonLink } from '#client/ui/Button.tsx';
import { DisplayTitle } from '#client/ui/DisplayTitle.tsx';
import { Footnoted } from '#client/ui/Footnoted.tsx';
import { Check } from '#client/ui/Icon.tsx';
import { Container, Eyebrow } from '#client/ui/Section.tsx';
import { providerFormAnchor, studyNote } from '#shared/brand/calls.ts';
import { variantHero } from '#shared/brand/variant.ts';
import { GainRules } from './GainRules.tsx';

/** The promise and its reasons on a light ground, beside what the study measured. */
export function VariantHero() {
  return (
    <Band aria-labelledby="variant-title">
      <Columns>
        <div>
          <Eyebrow>{variantHero.eyebrow}</Eyebrow>
          <Headline id="variant-title">{variantHero.title}</Headline>
          <Sentence>{variantHero.lead}</Sentence>
          <Benefits aria-label={variantHero.benefitsLabel}>
            {variantHero.benefits.map(({ text }) => (
              <li key={text}>
                <Check strokeWidth={2.25} />
                <span>
                  <Footnoted text={text} noteId={studyNote.id} markLabel={studyNote.markLabel} />
                </span>
              </li>
            ))}
          </Benefits>
          <Call href={`#${providerFormAnchor}`} size="large">
            {variantHero.action}
          </Call>
        </div>
        <GainRules />
      </Columns>
    </Band>
  );
}

const Band = styled.section`
  background: ${token.tint};
`;

const Columns = styled(Container)`
  display: grid;
  gap: 3rem;
  padding-block: 3rem 4rem;

  ${media.desktop} {
    grid-template-columns: minmax(0, 7fr) minmax(0, 5fr);
    gap: 4rem;
    align-items: center;
    padding-block: 4.5rem 5.5rem;
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
  line-height: 1.6;
`;

const Benefits = styled.ul`
  display: grid;
  gap: 0.875rem;
  max-inline-size: 33rem;
  margin-block-end: 2.5rem;

  & > li {
    display: grid;
    grid-template-columns: 1.5rem minmax(0, 1fr);
    gap: 0.75rem;
    line-height: 1.5;
  }

  & > li > svg {
    inline-size: 1.5rem;
    block-size: 1.5em;
    color: var(--surface-accent);
  }
`;

const Call = styled(ButtonLink)`
  inline-size: 100%;

  ${media.tablet} {
    inline-size: auto;
  }
`;

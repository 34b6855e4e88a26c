import { styled } from 'styled-components';
import { media, token } from '#client/theme/tokens.ts';
import { ButtonLink } from '#client/ui/Button.tsx';
import { CheckList } from '#client/sections/kit/CheckList.tsx';
import { StudyText } from '#client/sections/kit/StudyNote.tsx';
import { Container, DisplayTitle, Eyebrow } from '#client/ui/Section.tsx';
import { variantHero } from '#shared/brand/variant.ts';
import { providerFormAnchor } from '#shared/pages/paths.ts';
import { gainRule } from '#shared/brand/measures.ts';

/** The promise and its reasons on a light background, beside the study's measurements. */
export function VariantHero() {
  return (
    <Band aria-labelledby="variant-title">
      <Columns>
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
            render={(text) => <StudyText text={text} />}
          />
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

const ruleWidth = 250;

/** The average gains of the study, each laid along a rule, to scale. */
function GainRules() {
  return (
    <Plate>
      {variantHero.gains.map(({ gain, text }) => (
        <div key={text}>
          <Figure>
            <strong>+{gain.toFixed(2)}</strong> {text}
          </Figure>
          <svg viewBox={`0 0 ${ruleWidth} 44`} aria-hidden="true">
            <rect className="bar" x="0" y="0" width={toWidth(gain)} height="14" rx="3" />
            <path className="fine" d={ticks(gainRule.fine, 9)} />
            <path className="coarse" d={ticks(gainRule.coarse, 20)} />
          </svg>
        </div>
      ))}
      <Caption>
        <StudyText text={variantHero.gainsCaption} />
      </Caption>
    </Plate>
  );
}

function toWidth(measure: number): number {
  return (measure * ruleWidth) / gainRule.length;
}

/** Marks of one height along the rule, so far apart. */
function ticks(apart: number, height: number): string {
  const count = Math.floor(gainRule.length / apart);
  return Array.from({ length: count + 1 }, (_, at) => `M${toWidth(at * apart)} 20v${height}`).join('');
}

const Plate = styled.div`
  display: grid;
  gap: 2rem;
  padding-block: 2rem;
  border-block-start: 1px solid ${token.ink};

  & svg {
    inline-size: 100%;
    margin-block-start: 0.75rem;
    overflow: visible;
    fill: none;
    stroke: currentcolor;
  }

  & .bar {
    fill: currentcolor;
    stroke: none;
  }

  & .fine {
    opacity: 0.55;
  }

  & .coarse {
    stroke-width: 1.5;
  }

  ${media.tablet} {
    grid-template-columns: repeat(2, minmax(0, 1fr));
  }

  ${media.desktop} {
    grid-template-columns: minmax(0, 1fr);
  }
`;

const Figure = styled.p`
  font-size: ${token.textLarge};
  line-height: 1.1;

  & > strong {
    margin-inline-end: 0.25rem;
    color: var(--surface-heading);
    font-size: 3rem;
    font-variant-numeric: tabular-nums;
    letter-spacing: -0.03em;
  }
`;

const Caption = styled.p`
  color: var(--surface-muted);
  font-size: 0.9375rem;
  line-height: 1.5;

  ${media.tablet} {
    grid-column: 1 / -1;
  }
`;

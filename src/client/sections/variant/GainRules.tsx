import { styled } from 'styled-components';
import { media, token } from '#client/theme/tokens.ts';
import { StudyText } from '#client/sections/kit/StudyNote.tsx';
import { onDark } from '#client/ui/Section.tsx';
import { gainRule } from '#shared/brand/measures.ts';
import { variantHero } from '#shared/brand/variant.ts';

const ruleWidth = 250;

/** The average gains of the study, each laid along a rule, to scale. */
export function GainRules() {
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
  ${onDark}
  display: grid;
  gap: 2rem;
  padding: 2rem 1.5rem;
  border-radius: ${token.radius};
  background: ${token.gradient};

  & svg {
    inline-size: 100%;
    margin-block-start: 0.75rem;
    overflow: visible;
    fill: none;
    stroke: #ffffff;
  }

  & .bar {
    fill: #ffffff;
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
    padding: 2.5rem;
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

import { styled } from 'styled-components';
import { media, token } from '#client/theme/tokens.ts';
import { Footnoted } from '#client/ui/Footnoted.tsx';
import { onDark } from '#client/ui/Section.tsx';
import { studyNote } from '#shared/brand/calls.ts';
import { variantHero } from '#shared/brand/variant.ts';

/** The average gains of the study, each laid along an inch and a quarter of rule, to scale. */
export function GainRules() {
  return (
    <Plate>
      {variantHero.gains.map(({ inches, text }) => (
        <div key={text}>
          <Figure>
            <strong>+{inches.toFixed(2)}</strong> {text}
          </Figure>
          <svg viewBox="0 0 250 44" aria-hidden="true">
            <rect className="bar" x="0" y="0" width={inches * 200} height="14" rx="3" />
            <path className="fine" d={ticks(16)} />
            <path className="coarse" d={ticks(4)} />
          </svg>
        </div>
      ))}
      <Caption>
        <Footnoted text={variantHero.gainsCaption} noteId={studyNote.id} markLabel={studyNote.markLabel} />
      </Caption>
    </Plate>
  );
}

/** Marks along the rule, so many an inch; an inch is 200 units wide. */
function ticks(perInch: number): string {
  const count = Math.floor(1.25 * perInch);
  return Array.from(
    { length: count + 1 },
    (_, at) => `M${(at * 200) / perInch} 20v${perInch > 4 ? 9 : 20}`,
  ).join('');
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

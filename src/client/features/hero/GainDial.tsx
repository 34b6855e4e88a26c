import { styled } from 'styled-components';
import { averageGain } from '#shared/calculator.ts';
import { hero, studyNote } from '#shared/brand/landing.ts';
import { token } from '#client/theme/tokens.ts';
import { Footnoted } from '#client/ui/Footnoted.tsx';

/** Once round the dial, in inches. */
const turn = 2;
const numerals = [
  { text: '0', x: 220, y: 33 },
  { text: '0.5', x: 412, y: 225 },
  { text: '1', x: 220, y: 417 },
  { text: '1.5', x: 28, y: 225 },
];

/** The study's average gains, drawn to scale on a round rule of two inches. */
export function GainDial() {
  return (
    <Drawing>
      <svg viewBox="0 0 440 440" aria-hidden="true">
        <circle className="minor" cx="220" cy="220" r="182" pathLength="100" />
        <circle className="major" cx="220" cy="220" r="180" pathLength="20" />
        {numerals.map(({ text, x, y }) => (
          <text key={text} x={x} y={y}>
            {text}
          </text>
        ))}
        <circle className="track" cx="220" cy="220" r="154" />
        <circle
          className="length"
          cx="220"
          cy="220"
          r="154"
          pathLength={turn}
          strokeDasharray={`${averageGain.length} ${turn}`}
        />
        <circle className="track" cx="220" cy="220" r="130" />
        <circle
          className="girth"
          cx="220"
          cy="220"
          r="130"
          pathLength={turn}
          strokeDasharray={`${averageGain.girth} ${turn}`}
        />
      </svg>
      <Readout>
        {hero.gains.map(({ figure, text }) => (
          <p key={text}>
            <strong>{figure}</strong> {text}
          </p>
        ))}
      </Readout>
      <Caption>
        <Footnoted text={hero.gainsCaption} noteId={studyNote.id} markLabel={studyNote.markLabel} />
      </Caption>
    </Drawing>
  );
}

const Drawing = styled.figure`
  position: relative;
  margin: 0;

  & > svg {
    display: block;
    inline-size: 100%;
    aspect-ratio: 1;
  }

  & circle {
    fill: none;
    stroke: #ffffff;
    transform: rotate(-90deg);
    transform-origin: 50% 50%;
  }

  & .minor {
    stroke-width: 8;
    stroke-dasharray: 0.12 0.88;
    stroke-dashoffset: 0.06;
    opacity: 0.45;
  }

  & .major {
    stroke-width: 12;
    stroke-dasharray: 0.036 0.964;
    stroke-dashoffset: 0.018;
  }

  & .track {
    stroke-width: 12;
    opacity: 0.14;
  }

  & .length,
  & .girth {
    stroke-width: 12;
  }

  & .girth {
    stroke: color-mix(in srgb, ${token.accent} 55%, #ffffff);
  }

  & text {
    fill: #ffffff;
    font-size: 15px;
    font-weight: 500;
    opacity: 0.8;
    text-anchor: middle;
  }
`;

const Readout = styled.div`
  position: absolute;
  inset: 0 0 auto;
  display: grid;
  align-content: center;
  justify-items: center;
  gap: 0.75rem;
  aspect-ratio: 1;
  text-align: center;

  & p {
    font-size: 0.9375rem;
    line-height: 1.3;
  }

  & strong {
    display: block;
    color: var(--surface-heading);
    font-size: 3rem;
    font-weight: 700;
    font-variant-numeric: tabular-nums;
    letter-spacing: -0.03em;
    line-height: 1;
  }

  & p + p strong {
    font-size: ${token.title};
  }
`;

const Caption = styled.figcaption`
  margin-block-start: 1rem;
  color: var(--surface-muted);
  font-size: 0.9375rem;
  line-height: 1.4;
  text-align: center;
`;

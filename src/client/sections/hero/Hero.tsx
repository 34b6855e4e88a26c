import { styled } from 'styled-components';
import { hero } from '#shared/brand/hero.ts';
import { media, token } from '#client/theme/tokens.ts';
import { HeroFigure, HeroBand, HeroFacts, HeroLayout, HeroSentence } from '#client/sections/kit/HeroBand.tsx';
import { DisplayTitle } from '#client/ui/Section.tsx';
import { StartForm } from './StartForm.tsx';
import { averageGain, dimensions, gainDial } from '#shared/brand/measures.ts';
import { StudyText } from '#client/sections/kit/StudyNote.tsx';

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

const { turn, numerals } = gainDial;
const [outer, inner] = dimensions;
const center = 232;
/** Positions of the numerals: twelve, three, six and nine o'clock. */
const quarters = [
  { x: center, y: 14 },
  { x: 448, y: center },
  { x: center, y: 450 },
  { x: 16, y: center },
];

/** The study's average gains, drawn to scale on a round rule. */
function GainDial() {
  return (
    <Drawing>
      <svg viewBox="0 0 464 464" aria-hidden="true">
        <circle className="minor" cx={center} cy={center} r="182" pathLength="100" />
        <circle className="major" cx={center} cy={center} r="180" pathLength="20" />
        {quarters.map((place, index) => (
          <text key={numerals[index]} {...place}>
            {numerals[index]}
          </text>
        ))}
        <circle className="track" cx={center} cy={center} r="154" />
        <circle
          className="outer"
          cx={center}
          cy={center}
          r="154"
          pathLength={turn}
          strokeDasharray={`${averageGain[outer]} ${turn}`}
        />
        <circle className="track" cx={center} cy={center} r="130" />
        <circle
          className="inner"
          cx={center}
          cy={center}
          r="130"
          pathLength={turn}
          strokeDasharray={`${averageGain[inner]} ${turn}`}
        />
      </svg>
      <Readout>
        {hero.gains.map(({ figure, text }) => (
          <p key={text}>
            <strong>{figure}</strong>
            {` ${text}`}
          </p>
        ))}
      </Readout>
      <figcaption>
        <StudyText text={hero.gainsCaption} />
      </figcaption>
    </Drawing>
  );
}

const Drawing = styled(HeroFigure)`
  position: relative;
  container-type: inline-size;

  & > figcaption {
    margin-block-start: 1rem;
  }

  & circle {
    fill: none;
    stroke: currentcolor;
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

  & .outer,
  & .inner {
    stroke-width: 12;
  }

  & .inner {
    stroke: color-mix(in srgb, ${token.accent} 55%, currentcolor);
  }

  & text {
    fill: currentcolor;
    font-size: 18px;
    font-weight: 500;
    opacity: 0.8;
    dominant-baseline: central;
    text-anchor: middle;

    @container (max-width: 18rem) {
      display: none;
    }
  }

  /* Drawings keep their colors there, possibly white on white. */
  @media (forced-colors: active) {
    & circle {
      stroke: CanvasText;
    }

    & .inner {
      stroke: Highlight;
    }

    & text {
      fill: CanvasText;
    }
  }
`;

const Readout = styled.div`
  position: absolute;
  inset: 0 0 auto;
  display: grid;
  align-content: center;
  justify-items: center;
  gap: 3cqi;
  aspect-ratio: 1;
  text-align: center;

  & p {
    font-size: clamp(0.8125rem, 4.2cqi, 0.9375rem);
    line-height: 1.3;
  }

  & strong {
    display: block;
    color: var(--surface-heading);
    font-size: 13cqi;
    letter-spacing: -0.03em;
    line-height: 1;
  }

  & p + p strong {
    font-size: 8cqi;
  }
`;

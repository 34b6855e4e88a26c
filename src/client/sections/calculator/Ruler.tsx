import { m } from 'framer-motion';
import { styled } from 'styled-components';
import { averageGain, type Dimension, ruleScale, sliders } from '#shared/brand/measures.ts';
import { token } from '#client/theme/tokens.ts';

/** Both rules share one scale, so that a gain is as long on either. */
const { from, to, tick } = ruleScale;

/** A place on the rule as a percentage of its width, written alike on server and browser. */
export function placeOnScale(value: number): string {
  return `${(((value - from) / (to - from)) * 100).toFixed(3)}%`;
}

function widthOnScale(gain: number): string {
  return placeOnScale(from + gain);
}

const tickCount = Math.round((to - from) / tick) + 1;
const ticksHeight = 20;

function tickLength(index: number): number {
  if (index % 10 === 0) return ticksHeight;
  return index % 5 === 0 ? 14 : 8;
}

/** All ticks, one unit apart, as one path: a line for each would be a seventh of the page's HTML. */
const ticks = Array.from({ length: tickCount }, (_, index) =>
  index === 0 ? `M0 0v${tickLength(0)}` : `m1-${tickLength(index - 1)}v${tickLength(index)}`,
).join('');

/** The values that are written below their ticks. */
const numerals = Array.from({ length: Math.ceil(tickCount / 10) }, (_, index) =>
  Number((from + index * 10 * tick).toFixed(6)),
);

interface RulerProps {
  dimension: Dimension;
  value: number;
  /** True once, when the ruler scrolls into view. Then the gain is animated from the current value. */
  seen: boolean;
}

/** The ruler: the current value, and what the average gain adds to it. */
export function Ruler({ dimension, value, seen }: RulerProps) {
  const gain = averageGain[dimension];
  return (
    <Drawing aria-hidden="true">
      <rect className="track" x="0" y="20" width="100%" height="8" rx="4" />
      <rect className="reach" x="0" y="20" width={placeOnScale(sliders[dimension].max)} height="8" rx="4" />
      <rect className="now" x="0" y="20" width={placeOnScale(value)} height="8" rx="4" />
      <m.rect
        className="gain"
        x={placeOnScale(value)}
        y="20"
        width={widthOnScale(gain)}
        height="8"
        initial={false}
        animate={seen ? { scaleX: [0, 1] } : { scaleX: 1 }}
        style={{ originX: 0 }}
        transition={{ duration: 0.45 }}
      />
      <line
        className="mark"
        x1={placeOnScale(value + gain)}
        x2={placeOnScale(value + gain)}
        y1="12"
        y2="72"
      />
      <svg
        y="45"
        height={ticksHeight}
        viewBox={`0 0 ${tickCount - 1} ${ticksHeight}`}
        preserveAspectRatio="none"
      >
        <path className="tick" d={ticks} vectorEffect="non-scaling-stroke" />
      </svg>
      {numerals.map((at) => (
        <text key={at} x={placeOnScale(at)} y="86">
          {at}
        </text>
      ))}
    </Drawing>
  );
}

const Drawing = styled.svg`
  position: relative;
  inline-size: 100%;
  block-size: 98px;
  overflow: visible;

  & > svg {
    overflow: visible;
  }

  & .track,
  & .reach {
    fill: ${token.line};
  }

  & .track {
    opacity: 0.45;
  }

  & .now {
    fill: ${token.ink};
  }

  & .gain {
    fill: ${token.accent};
  }

  & .mark {
    stroke: ${token.accent};
    stroke-width: 2;
  }

  & .tick {
    stroke: ${token.inputLine};
    stroke-width: 1;
    shape-rendering: crispedges;
  }

  & text {
    fill: ${token.muted};
    font-size: 14px;
    font-variant-numeric: tabular-nums;
    text-anchor: middle;
  }

  @media (forced-colors: active) {
    & rect,
    & text {
      fill: CanvasText;
    }

    & .track {
      opacity: 0.2;
    }

    & .reach {
      opacity: 0.3;
    }

    & .gain {
      fill: Highlight;
    }

    & .mark {
      stroke: Highlight;
    }

    & .tick {
      stroke: CanvasText;
    }
  }
`;

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

const ticks = Array.from({ length: Math.round((to - from) / tick) + 1 }, (_, index) => ({
  index,
  value: Number((from + index * tick).toFixed(6)),
}));

function tickLength(index: number): number {
  if (index % 10 === 0) return 20;
  return index % 5 === 0 ? 14 : 8;
}

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
      {ticks.map(({ index, value: at }) => {
        const x = placeOnScale(at);
        return <line key={index} className="tick" x1={x} x2={x} y1="45" y2={45 + tickLength(index)} />;
      })}
      {ticks
        .filter(({ index }) => index % 10 === 0)
        .map(({ index, value: at }) => (
          <text key={index} x={placeOnScale(at)} y="86">
            {at}
          </text>
        ))}
    </Drawing>
  );
}

const Drawing = styled.svg`
  position: relative;
  display: block;
  inline-size: 100%;
  block-size: 98px;
  overflow: visible;

  & .track,
  & .reach {
    fill: ${token.line};
  }

  & .track {
    opacity: 0.45;
  }

  & .now {
    fill: ${token.primary};
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

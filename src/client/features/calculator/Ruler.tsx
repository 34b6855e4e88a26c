import { m } from 'framer-motion';
import { styled } from 'styled-components';
import { averageGain, type Dimension, sliders } from '#shared/calculator.ts';
import { token } from '#client/theme/tokens.ts';

/** Both rules share one scale, so that an inch is an inch on either. */
export const scale = { from: 3, to: 9.2 } as const;

/** A place on the rule as a percentage of its width, written alike on server and browser. */
export function placeOnScale(inches: number): string {
  return `${(((inches - scale.from) / (scale.to - scale.from)) * 100).toFixed(3)}%`;
}

function widthOnScale(inches: number): string {
  return placeOnScale(scale.from + inches);
}

const tenths = Array.from({ length: Math.round((scale.to - scale.from) * 10) + 1 }, (_, index) => index);

function tickLength(tenth: number): number {
  if (tenth % 10 === 0) return 20;
  return tenth % 5 === 0 ? 14 : 8;
}

interface RulerProps {
  dimension: Dimension;
  inches: number;
  /** True once, when the rule has come into view: the gain is drawn again from where he is now. */
  seen: boolean;
}

/** The drawn rule: what is measured now, and what the average gain adds to it. */
export function Ruler({ dimension, inches, seen }: RulerProps) {
  const gain = averageGain[dimension];
  return (
    <Drawing aria-hidden="true">
      <rect className="track" x="0" y="20" width="100%" height="8" rx="4" />
      <rect className="reach" x="0" y="20" width={placeOnScale(sliders[dimension].max)} height="8" rx="4" />
      <rect className="now" x="0" y="20" width={placeOnScale(inches)} height="8" rx="4" />
      <m.rect
        className="gain"
        x={placeOnScale(inches)}
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
        x1={placeOnScale(inches + gain)}
        x2={placeOnScale(inches + gain)}
        y1="12"
        y2="72"
      />
      {tenths.map((tenth) => {
        const x = placeOnScale(scale.from + tenth / 10);
        return <line key={tenth} className="tick" x1={x} x2={x} y1="45" y2={45 + tickLength(tenth)} />;
      })}
      {tenths
        .filter((tenth) => tenth % 10 === 0)
        .map((tenth) => (
          <text key={tenth} x={placeOnScale(scale.from + tenth / 10)} y="86">
            {scale.from + tenth / 10}
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

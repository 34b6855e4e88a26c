import { styled } from 'styled-components';
import type { CountedPlace } from '#shared/providers/providerList.ts';
import { token } from '../theme/tokens.ts';
import groundUrl from './ground.svg?url';
import statePlaces from './statePlaces.json';

/** In pixels. Nearer ones are one circle, as on the map. */
const circleRadius = 13;

const placesByPath = new Map<string, number[]>(
  Object.entries(statePlaces).map(([code, place]) => [code, place]),
);

interface Circle {
  x: number;
  y: number;
  count: number;
}

/** A circle for each state in view; one that would overlap a larger one is counted there. */
function listCircles(states: readonly CountedPlace[]): Circle[] {
  const circles: Circle[] = [];
  for (const { path, count } of states.toSorted((a, b) => b.count - a.count)) {
    const [x, y] = placesByPath.get(path.slice(path.lastIndexOf('/') + 1)) ?? [];
    if (x === undefined || y === undefined) continue;
    const near = circles.find((circle) => Math.hypot(circle.x - x, circle.y - y) < 2 * circleRadius);
    if (near === undefined) circles.push({ x, y, count });
    else near.count += count;
  }
  return circles;
}

/**
 * The map's first view without a map: states and how many providers they have, each pixel where the map will have it.
 * It needs no script, and only a small file that the map page's own style doesn't wait for.
 */
export function MapDrawing({ states }: { states: readonly CountedPlace[] }) {
  return (
    <Sheet aria-hidden="true">
      <svg x="50%" y="50%" overflow="visible">
        <use className="land" href={`${groundUrl}#land`} />
        <use className="borders" href={`${groundUrl}#borders`} />
        <use className="lines" href={`${groundUrl}#lines`} />
        <use className="names" href={`${groundUrl}#names`} />
        {listCircles(states).map(({ x, y, count }) => (
          <g key={`${x},${y}`} transform={`translate(${x} ${y})`}>
            <circle r={circleRadius} />
            <text y="4">{count}</text>
          </g>
        ))}
      </svg>
    </Sheet>
  );
}

const Sheet = styled.svg`
  position: absolute;
  inset: 0;
  inline-size: 100%;
  block-size: 100%;
  text-anchor: middle;

  & .land {
    fill: color-mix(in srgb, ${token.secondary} 2%, #ffffff);
    stroke: color-mix(in srgb, ${token.secondary} 42%, #ffffff);
    stroke-width: 1.2;
  }

  & .borders {
    fill: none;
    stroke: color-mix(in srgb, ${token.secondary} 26%, #ffffff);
  }

  & .lines {
    stroke: color-mix(in srgb, ${token.secondary} 42%, #ffffff);
  }

  & .names {
    fill: color-mix(in srgb, ${token.primary} 72%, #ffffff);
    font-size: 0.6875rem;
    font-weight: 500;
  }

  & circle {
    fill: ${token.secondary};
    stroke: #ffffff;
    stroke-width: 2;
  }

  & g > text {
    fill: #ffffff;
    font-size: 0.75rem;
    font-weight: 700;
  }

  @media (forced-colors: active) {
    & .land,
    & .lines,
    & .borders {
      fill: Canvas;
      stroke: CanvasText;
    }

    & .names {
      fill: CanvasText;
    }

    & circle {
      fill: Highlight;
    }

    & g > text {
      fill: HighlightText;
    }
  }
`;

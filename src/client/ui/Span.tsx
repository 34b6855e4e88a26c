import { css, keyframes, styled } from 'styled-components';
import { token } from '../theme/tokens.ts';

export interface SpanProps {
  /** What is measured, for those who don't see the drawing. Left out where a text beside it says the same. */
  label?: string;
  /** Where the span ends, in the unit of the scale. It begins at 0. */
  end: number;
  /** What the whole width stands for, in the same unit. Spans to be compared share it. Default: the end. */
  scale?: number;
  /** Where the gained part begins. Only that part has the accent color. */
  gainFrom?: number;
  /** Distance of the ticks along the gained part. Default: none. */
  tickEvery?: number;
  /** Short texts below the beginning, the begin of the gain and the end. */
  startText?: string | undefined;
  gainText?: string | undefined;
  endText?: string | undefined;
  /** Nothing is measured yet: a fine line between two ticks. */
  isEmpty?: boolean;
  className?: string;
}

/** Beyond this part of the width, a text below the end would leave the drawing. */
const textEdge = 0.9;

/**
 * A distance drawn to scale between two ticks. It needs no script, is as wide as its place, and its texts keep their
 * size.
 *
 * `<Span label="Before 5.16, after 6.20" gainFrom={5.16} end={6.2} scale={6.4} tickEvery={0.1} />`
 */
export function Span({ label, end, scale = end, gainFrom = end, tickEvery, className, ...rest }: SpanProps) {
  const { startText, gainText, endText, isEmpty = false } = rest;
  const place = (value: number): string => `${Math.round((value / scale) * 100_000) / 1000}%`;
  const hasText = [startText, gainText, endText].some((text) => text !== undefined);
  const name = label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label };
  return (
    <Drawing className={className} height={hasText ? 40 : 20} $isEmpty={isEmpty} {...name}>
      <line x1="0" x2={place(gainFrom)} y1="10" y2="10" />
      <line x1="0" x2="0" y1="3" y2="17" />
      {listTicks(gainFrom, end, tickEvery).map((tick) => (
        <line key={tick} className="gain fine" x1={place(tick)} x2={place(tick)} y1="3" y2="9" />
      ))}
      {gainFrom === end ? null : (
        <>
          <line className="gain drawn" x1={place(gainFrom)} x2={place(end)} y1="10" y2="10" />
          <line x1={place(gainFrom)} x2={place(gainFrom)} y1="3" y2="17" />
        </>
      )}
      <line
        className={gainFrom === end ? undefined : 'gain tick'}
        x1={place(end)}
        x2={place(end)}
        y1="3"
        y2="17"
      />
      <text y="34">{startText}</text>
      <text y="34" x={place(gainFrom)} textAnchor="end">
        {gainText}
      </text>
      <text className="end" y="34" x={place(end)} textAnchor={end / scale > textEdge ? 'end' : 'middle'}>
        {endText}
      </text>
    </Drawing>
  );
}

/** The places between two points, as multiples of the distance, so that they don't add up errors. */
function listTicks(from: number, to: number, every: number | undefined): number[] {
  if (every === undefined) return [];
  const first = Math.floor(from / every + 1e-6) + 1;
  const count = Math.ceil(to / every - 1e-6) - first;
  return Array.from({ length: Math.max(0, count) }, (_, at) => (first + at) * every);
}

const grow = keyframes`
  from {
    transform: scaleX(0);
  }
`;

const drawnOnce = css`
  @media (prefers-reduced-motion: no-preference) {
    animation: ${grow} ${token.transition} backwards;
    transform-box: fill-box;
    transform-origin: left;
  }
`;

const Drawing = styled.svg<{ $isEmpty: boolean }>`
  inline-size: 100%;
  overflow: visible;
  color: var(--surface-heading);

  & line {
    stroke: ${({ $isEmpty }) => ($isEmpty ? token.inputLine : 'currentcolor')};
    stroke-width: ${({ $isEmpty }) => ($isEmpty ? 1 : 1.5)};
  }

  & .gain {
    stroke: ${token.accent};
  }

  & .fine {
    stroke-width: 1;
  }

  & .drawn {
    stroke-width: 3;
    ${drawnOnce}
  }

  & text {
    fill: var(--surface-muted);
    font-size: 0.75rem;
    font-variant-numeric: tabular-nums;
  }

  & .end {
    fill: currentcolor;
    font-weight: 600;
  }

  @media (forced-colors: active) {
    & line {
      stroke: CanvasText;
    }

    & .gain {
      stroke: Highlight;
    }

    & text {
      fill: CanvasText;
    }
  }
`;

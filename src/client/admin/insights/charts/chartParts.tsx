import { CartesianGrid, XAxis, YAxis } from 'recharts';
import { token } from '#client/theme/tokens.ts';
import { shortDay } from '../insightDays.ts';

/**
 * For every chart. The margin is space for the top label and the last day's label. Pointer events are not delayed: a
 * delayed one after the pointer has left would mark a day for good.
 */
export const chartBase = { margin: { top: 8, right: 12, bottom: 0, left: 0 }, throttledEvents: [] } as const;

/** Up to this many points, each has a dot. */
const dotsMax = 45;

/** Thin horizontal lines at the ticks. */
export function ChartGrid() {
  return <CartesianGrid vertical={false} stroke={token.line} />;
}

/** The days, with as many labels as there is space for. */
export function DayAxis() {
  return (
    <XAxis
      dataKey="day"
      // Points are in the middle of their day, like bars.
      scale="band"
      tickFormatter={shortDay}
      tickLine={false}
      axisLine={{ stroke: token.inputLine }}
      tickMargin={8}
      interval="equidistantPreserveStart"
      minTickGap={24}
    />
  );
}

/** Whole numbers from 0. */
export function CountAxis() {
  return (
    <YAxis
      allowDecimals={false}
      tickFormatter={(value: number) => value.toLocaleString('en-US')}
      tickLine={false}
      axisLine={false}
      tickMargin={4}
      width="auto"
    />
  );
}

/** Values at the given ticks. */
export function MarkedAxis({ ticks, text }: { ticks: readonly number[]; text: (value: number) => string }) {
  return (
    <YAxis
      ticks={[...ticks]}
      domain={[0, ticks.at(-1) ?? 1]}
      interval={0}
      tickFormatter={text}
      tickLine={false}
      axisLine={false}
      tickMargin={4}
      width="auto"
    />
  );
}

/** Up to this many days, a bar is wide enough for details. */
const wideBarsMax = 45;

/** The outline of bars for this many days: white between the parts of a stack if the bars are wide enough. */
export function barLook(days: number) {
  return { stroke: '#ffffff', strokeWidth: days <= wideBarsMax ? 1.5 : 0 };
}

export function barRadius(days: number): [number, number, number, number] {
  return days <= wideBarsMax ? [4, 4, 0, 0] : [0, 0, 0, 0];
}

/** The gap between bars, in the format of recharts. */
export function barGap(days: number): string {
  return days <= wideBarsMax ? '18%' : days <= 100 ? '14%' : '0%';
}

interface LineDotProps {
  values: readonly (number | null)[];
  color: string;
  /** Set by recharts. */
  cx?: number;
  cy?: number;
  index?: number;
}

/** The dots of a line: on all points if there are few, otherwise on isolated points only. */
export function LineDot({ values, color, cx, cy, index = 0 }: LineDotProps) {
  const has = (at: number): boolean => (values[at] ?? null) !== null;
  const isIsolated = !has(index - 1) && !has(index + 1);
  if (cx === undefined || cy === undefined || !has(index)) return null;
  if (values.length > dotsMax && !isIsolated) return null;
  return <circle cx={cx} cy={cy} r={3} fill="#ffffff" stroke={color} strokeWidth={2} />;
}

import { CartesianGrid, XAxis, YAxis } from 'recharts';
import { token } from '#client/theme/tokens.ts';
import { shortDay } from '../insightDays.ts';

/** Room for the topmost figure and the last day's. */
export const chartMargin = { top: 8, right: 12, bottom: 0, left: 0 } as const;

/** Up to this many points each has a dot. */
const dotsMax = 45;

/** Thin lines across, at the values marked. */
export function ChartGrid() {
  return <CartesianGrid vertical={false} stroke={token.line} />;
}

/** The days, as many named as there is room for. */
export function DayAxis() {
  return (
    <XAxis
      dataKey="day"
      // Points stand where bars do: in the middle of their day.
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

/** Values at the marks given. */
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

/** Up to this many days a bar is wide enough for fine work. */
const wideBarsMax = 45;

/** How bars of so many days are drawn: white between the parts of a stack, as long as they are wider than a hair. */
export function barLook(days: number) {
  return { stroke: '#ffffff', strokeWidth: days <= wideBarsMax ? 1.5 : 0 };
}

/** The rounding of a stack's top. */
export function barRadius(days: number): [number, number, number, number] {
  return days <= wideBarsMax ? [4, 4, 0, 0] : [0, 0, 0, 0];
}

/** The gap between bars, as recharts takes it. */
export function barGap(days: number): string {
  return days <= wideBarsMax ? '18%' : days <= 100 ? '14%' : '0%';
}

interface LineDotProps {
  values: readonly (number | null)[];
  color: string;
  /** Given by recharts. */
  cx?: number;
  cy?: number;
  index?: number;
}

/** Dots on a line: on all points where there are few, else on those that no line leads to. */
export function LineDot({ values, color, cx, cy, index = 0 }: LineDotProps) {
  const has = (at: number): boolean => (values[at] ?? null) !== null;
  const isAlone = !has(index - 1) && !has(index + 1);
  if (cx === undefined || cy === undefined || !has(index)) return null;
  if (values.length > dotsMax && !isAlone) return null;
  return <circle cx={cx} cy={cy} r={3} fill="#ffffff" stroke={color} strokeWidth={2} />;
}

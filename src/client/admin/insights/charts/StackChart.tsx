import { useId } from 'react';
import { Bar, BarChart, BarStack } from 'recharts';
import { insightCopy } from '#client/admin/insights/copy.ts';
import { byDay, toSpan } from '#client/admin/insights/insightDays.ts';
import { ChartFrame } from './ChartFrame.tsx';
import type { LegendItem } from './ChartLegend.tsx';
import { ChartTip } from './ChartTip.tsx';
import { barGap, barLook, barRadius, chartBase, ChartGrid, CountAxis, DayAxis } from './chartParts.tsx';

export interface StackPart<Day> extends LegendItem {
  count: (day: Day) => number;
}

interface StackChartProps<Day> {
  days: Day[];
  /** From the bottom up. */
  parts: readonly StackPart<Day>[];
  summary: (span: string) => string;
}

/** A bar for each day, of parts on top of one another. */
export function StackChart<Day extends { day: string }>({ days, parts, summary }: StackChartProps<Day>) {
  const stripes = useId();
  const toDay = byDay(days);
  const span = toSpan(days);
  const getFigure = (part: StackPart<Day>, day: Day | undefined): string =>
    (day === undefined ? 0 : part.count(day)).toLocaleString('en-US');
  return (
    <ChartFrame span={span} legend={parts}>
      <BarChart
        data={days}
        {...chartBase}
        barCategoryGap={barGap(days.length)}
        maxBarSize={56}
        aria-label={insightCopy.chartLabel(summary(span))}
      >
        <defs>
          {parts
            .filter(({ mark }) => mark === 'striped')
            .map(({ key, color }) => (
              <pattern
                key={key}
                id={`${stripes}${key}`}
                width="6"
                height="6"
                patternUnits="userSpaceOnUse"
                patternTransform="rotate(45)"
              >
                <rect width="6" height="6" fill={color} />
                <rect width="1.5" height="6" fill="#ffffff" />
              </pattern>
            ))}
        </defs>
        <ChartGrid />
        <DayAxis />
        <CountAxis />
        <ChartTip
          cursor="band"
          // The stack's order, from the top.
          buildLines={(day) =>
            parts.map((part) => ({ ...part, figure: getFigure(part, toDay(day)) })).toReversed()
          }
        />
        <BarStack stackId="parts" radius={barRadius(days.length)}>
          {parts.map(({ key, label, color, mark, count }) => (
            <Bar
              key={key}
              name={label}
              dataKey={count}
              fill={mark === 'striped' ? `url(#${stripes}${key})` : color}
              {...barLook(days.length)}
            />
          ))}
        </BarStack>
      </BarChart>
    </ChartFrame>
  );
}

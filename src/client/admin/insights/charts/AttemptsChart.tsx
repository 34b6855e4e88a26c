import { useId } from 'react';
import { Bar, BarChart, BarStack } from 'recharts';
import type { DeliveryHealth } from '#shared/admin/insights.ts';
import { deliveryWords as words, insightWords } from '#client/admin/insights/copy.ts';
import { deliveryColors } from './chartColors.ts';
import { ChartFrame } from './ChartFrame.tsx';
import { barGap, barLook, barRadius, ChartGrid, chartMargin, CountAxis, DayAxis } from './chartParts.tsx';
import { ChartTip } from './ChartTip.tsx';
import { byDay, spanOf } from '../daySums.ts';

export type TryDay = DeliveryHealth['days'][number];

export const deliveredTries = {
  key: 'delivered',
  label: words.delivered,
  color: deliveryColors.delivered,
  mark: 'block',
} as const;
export const failedTries = {
  key: 'failed',
  label: words.failedTries,
  color: deliveryColors.failed,
  mark: 'striped',
} as const;

interface TriesChartProps {
  days: TryDay[];
  /** Of all of them, how many were delivered: '96.1%'. */
  rate: string;
}

/** Each day's tries, those that failed on top of the others. */
export function TriesChart({ days, rate }: TriesChartProps) {
  const stripes = useId();
  const dayOf = byDay(days);
  const span = spanOf(days);
  const look = barLook(days.length);
  return (
    <ChartFrame span={span} legend={[deliveredTries, failedTries]}>
      <BarChart
        data={days}
        margin={chartMargin}
        barCategoryGap={barGap(days.length)}
        maxBarSize={56}
        aria-label={insightWords.chartLabel(words.summary(span, rate))}
      >
        <defs>
          <pattern
            id={stripes}
            width="6"
            height="6"
            patternUnits="userSpaceOnUse"
            patternTransform="rotate(45)"
          >
            <rect width="6" height="6" fill={failedTries.color} />
            <rect width="1.5" height="6" fill="#ffffff" />
          </pattern>
        </defs>
        <ChartGrid />
        <DayAxis />
        <CountAxis />
        <ChartTip
          cursor="band"
          linesOf={(day) => [
            { ...failedTries, figure: (dayOf(day)?.failed ?? 0).toLocaleString('en-US') },
            { ...deliveredTries, figure: (dayOf(day)?.delivered ?? 0).toLocaleString('en-US') },
          ]}
        />
        <BarStack stackId="tries" radius={barRadius(days.length)}>
          <Bar name={words.delivered} dataKey="delivered" fill={deliveredTries.color} {...look} />
          <Bar name={words.failedTries} dataKey="failed" fill={`url(#${stripes})`} {...look} />
        </BarStack>
      </BarChart>
    </ChartFrame>
  );
}

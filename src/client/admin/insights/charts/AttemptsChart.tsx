import { useId } from 'react';
import { Bar, BarChart, BarStack } from 'recharts';
import type { DeliveryHealth } from '#shared/admin/insights.ts';
import { deliveryCopy as copy, insightCopy } from '#client/admin/insights/copy.ts';
import { deliveryColors } from './chartColors.ts';
import { ChartFrame } from './ChartFrame.tsx';
import { barGap, barLook, barRadius, ChartGrid, chartBase, CountAxis, DayAxis } from './chartParts.tsx';
import { ChartTip } from './ChartTip.tsx';
import { byDay, toSpan } from '../insightDays.ts';

export type AttemptDay = DeliveryHealth['days'][number];

export const deliveredAttempts = {
  key: 'delivered',
  label: copy.delivered,
  color: deliveryColors.delivered,
  mark: 'block',
} as const;
export const failedAttempts = {
  key: 'failed',
  label: copy.failedAttempts,
  color: deliveryColors.failed,
  mark: 'striped',
} as const;

interface AttemptsChartProps {
  days: AttemptDay[];
  /** The share of delivered attempts: '96.1%'. */
  rate: string;
}

/** The attempts of each day, with the failed ones on top. */
export function AttemptsChart({ days, rate }: AttemptsChartProps) {
  const stripes = useId();
  const toDay = byDay(days);
  const span = toSpan(days);
  const look = barLook(days.length);
  return (
    <ChartFrame span={span} legend={[deliveredAttempts, failedAttempts]}>
      <BarChart
        data={days}
        {...chartBase}
        barCategoryGap={barGap(days.length)}
        maxBarSize={56}
        aria-label={insightCopy.chartLabel(copy.summary(span, rate))}
      >
        <defs>
          <pattern
            id={stripes}
            width="6"
            height="6"
            patternUnits="userSpaceOnUse"
            patternTransform="rotate(45)"
          >
            <rect width="6" height="6" fill={failedAttempts.color} />
            <rect width="1.5" height="6" fill="#ffffff" />
          </pattern>
        </defs>
        <ChartGrid />
        <DayAxis />
        <CountAxis />
        <ChartTip
          cursor="band"
          buildLines={(day) => [
            { ...failedAttempts, figure: (toDay(day)?.failed ?? 0).toLocaleString('en-US') },
            { ...deliveredAttempts, figure: (toDay(day)?.delivered ?? 0).toLocaleString('en-US') },
          ]}
        />
        <BarStack stackId="tries" radius={barRadius(days.length)}>
          <Bar name={copy.delivered} dataKey="delivered" fill={deliveredAttempts.color} {...look} />
          <Bar name={copy.failedAttempts} dataKey="failed" fill={`url(#${stripes})`} {...look} />
        </BarStack>
      </BarChart>
    </ChartFrame>
  );
}

import { DeliveriesLink } from '#client/admin/deliveries/DeliveriesLink.tsx';
import { deliveryListWords } from '#client/admin/deliveries/copy.ts';
import type { InsightsRange, LeadsByDay } from '#shared/admin/insights.ts';
import { deliveryWords as words, insightWords } from '#client/admin/insights/copy.ts';
import { newestFirst, share, sumOf } from './daySums.ts';
import { DeliveryTotals } from './DeliveryTotals.tsx';
import { FigureSplit } from './charts/FigureSplit.tsx';
import { InsightCard } from './InsightCard.tsx';
import { fullDay } from './insightDays.ts';
import { deliveredTries, failedTries, TriesChart, type TryDay } from './charts/AttemptsChart.tsx';
import { type InsightQuery, useDeliveryHealth } from './useInsights.ts';

interface DeliveryCardProps {
  range: InsightsRange;
  /** For how far the CRM has these days' leads. */
  leads: InsightQuery<LeadsByDay>;
}

/** How tries to deliver went, each day and by channel, and how far the CRM is. */
export function DeliveryCard({ range, leads }: DeliveryCardProps) {
  const query = useDeliveryHealth(range);
  return (
    <InsightCard
      figure="deliveries"
      range={range}
      words={words}
      query={query}
      isEmpty={({ days }) => triesIn(days) === 0}
      headline={({ days }) => ({
        figure: words.headline(rateOf(days)),
        note: words.note(triesIn(days), failedIn(days)),
      })}
      foot={
        <>
          <DeliveryTotals
            channels={query.error === null ? (query.data?.channels ?? []) : []}
            leadDays={leads.data?.days ?? []}
          />
          <DeliveriesLink filter={{ state: 'failed', from: range.from, to: range.to }}>
            {deliveryListWords.failedOfDays}
          </DeliveriesLink>
        </>
      }
    >
      {({ days }) => (
        <FigureSplit
          title={words.title}
          head={insightWords.day}
          columns={[deliveredTries, failedTries]}
          rows={newestFirst(days).map((day) => ({
            key: day.day,
            head: fullDay(day.day),
            cells: {
              delivered: day.delivered.toLocaleString('en-US'),
              failed: day.failed.toLocaleString('en-US'),
            },
          }))}
        >
          <TriesChart days={days} rate={rateOf(days)} />
        </FigureSplit>
      )}
    </InsightCard>
  );
}

function failedIn(days: readonly TryDay[]): number {
  return sumOf(days, (day) => day.failed);
}

function triesIn(days: readonly TryDay[]): number {
  return sumOf(days, (day) => day.delivered + day.failed);
}

function rateOf(days: readonly TryDay[]): string {
  return insightWords.percent(1 - (share(failedIn(days), triesIn(days)) ?? 0));
}

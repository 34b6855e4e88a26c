import { DeliveriesLink } from '#client/admin/kit/DeliveriesLink.tsx';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import type { InsightsRange, LeadsByDay } from '#shared/admin/insights.ts';
import { viewersDays } from '#shared/formats/day.ts';
import { DeliveryTotals } from './DeliveryTotals.tsx';
import { InsightCard, type InsightQuery, keptOptions } from './InsightCard.tsx';
import {
  type AttemptDay,
  AttemptsChart,
  deliveredAttempts,
  failedAttempts,
} from './charts/AttemptsChart.tsx';
import { FigureSplit } from './charts/FigureSplit.tsx';
import { deliveryCopy as copy, insightCopy } from './copy.ts';
import { addUp, fullDay, newestFirst, share } from './insightDays.ts';

interface DeliveryCardProps {
  range: InsightsRange;
  /** For the CRM status of these days' leads. */
  leads: InsightQuery<LeadsByDay>;
}

/** How many leads reached their provider, attempts by day, deliveries by channel, and the CRM status of the leads. */
export function DeliveryCard({ range, leads }: DeliveryCardProps) {
  const query = adminApi.admin.insights.deliveryHealth.useQuery(range, keptOptions);
  return (
    <InsightCard
      figure="deliveries"
      range={range}
      copy={copy}
      query={query}
      isEmpty={({ days }) => attemptsIn(days) === 0}
      headline={({ days, leads: { reached, total } }) => ({
        figure: total === 0 ? copy.attemptRate(toRate(days)) : copy.headline(reached, total),
        note: copy.note(attemptsIn(days), failedIn(days)),
      })}
      foot={
        <>
          <DeliveryTotals
            channels={query.error === null ? (query.data?.channels ?? []) : []}
            deliveries={query.error === null ? (query.data?.deliveries ?? []) : []}
            leadDays={leads.data?.days ?? []}
          />
          <DeliveriesLink search={{ state: 'failed', ...viewersDays(range) }}>
            {copy.failedDeliveries}
          </DeliveriesLink>
        </>
      }
    >
      {({ days }) => (
        <FigureSplit
          title={copy.title}
          head={insightCopy.day}
          columns={[deliveredAttempts, failedAttempts]}
          rows={newestFirst(days).map((day) => ({
            id: day.day,
            head: fullDay(day.day),
            cells: {
              delivered: day.delivered.toLocaleString('en-US'),
              failed: day.failed.toLocaleString('en-US'),
            },
          }))}
        >
          <AttemptsChart days={days} rate={toRate(days)} />
        </FigureSplit>
      )}
    </InsightCard>
  );
}

function failedIn(days: readonly AttemptDay[]): number {
  return addUp(days, (day) => day.failed);
}

function attemptsIn(days: readonly AttemptDay[]): number {
  return addUp(days, (day) => day.delivered + day.failed);
}

function toRate(days: readonly AttemptDay[]): string {
  return insightCopy.percent(1 - (share(failedIn(days), attemptsIn(days)) ?? 0));
}

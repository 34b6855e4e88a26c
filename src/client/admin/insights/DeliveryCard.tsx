import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { CrmBadge } from '#client/admin/kit/CrmBadge.tsx';
import { DeliveriesLink } from '#client/admin/kit/DeliveriesLink.tsx';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { token } from '#client/theme/tokens.ts';
import { crmStatuses } from '#shared/admin/adminLeads.ts';
import type { DeliveryHealth, InsightsRange, LeadsByDay } from '#shared/admin/insights.ts';
import { InsightCard, type InsightQuery, keptOptions } from './InsightCard.tsx';
import { DayFigures, figureColumn } from './charts/FigureSplit.tsx';
import { StackChart, type StackPart } from './charts/StackChart.tsx';
import { deliveryColors } from './charts/chartColors.ts';
import { deliveryCopy as copy, insightCopy } from './copy.ts';
import { addUp, type LeadDay, share } from './insightDays.ts';

type AttemptDay = DeliveryHealth['days'][number];

const parts: readonly StackPart<AttemptDay>[] = [
  {
    key: 'delivered',
    label: copy.delivered,
    color: deliveryColors.delivered,
    mark: 'block',
    count: ({ delivered }) => delivered,
  },
  {
    key: 'failed',
    label: copy.failedAttempts,
    color: deliveryColors.failed,
    mark: 'striped',
    count: ({ failed }) => failed,
  },
];
const columns = parts.map(({ key, label, count }) => figureColumn(key, label, count));

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
          <DeliveriesLink search={{ state: 'failed', from: range.from, to: range.to }}>
            {copy.failedDeliveries}
          </DeliveriesLink>
        </>
      }
    >
      {({ days }) => (
        <DayFigures title={copy.title} days={days} columns={columns}>
          <StackChart days={days} parts={parts} summary={(span) => copy.summary(span, toRate(days))} />
        </DayFigures>
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

interface DeliveryTotalsProps {
  channels: DeliveryHealth['channels'];
  deliveries: DeliveryHealth['deliveries'];
  leadDays: readonly LeadDay[];
}

/** Below the chart: the deliveries of each channel with their attempts, and the CRM status of the leads of these days. */
function DeliveryTotals({ channels, deliveries, leadDays }: DeliveryTotalsProps) {
  const leads = addUp(leadDays, ({ total }) => total);
  const tried = channels.filter(({ delivered, failed }) => delivered + failed > 0);
  if (tried.length === 0 && leads === 0) return null;
  return (
    <Groups>
      {tried.length === 0 ? null : (
        <Group title={copy.channels}>
          {tried.map(({ channel, delivered, failed }) => (
            <Fact key={channel}>
              <dt>{copy.channel(channel)}</dt>
              <Delivered delivery={deliveries.find((known) => known.channel === channel)} />
              <dd>{copy.attempts(delivered + failed, failed)}</dd>
            </Fact>
          ))}
        </Group>
      )}
      {leads === 0 ? null : (
        <Group title={copy.crm}>
          {crmStatuses.map((status) => (
            <Fact key={status}>
              <dt>
                <CrmBadge status={status} />
              </dt>
              <dd>
                <strong>{addUp(leadDays, (day) => day[status]).toLocaleString('en-US')}</strong>
              </dd>
            </Fact>
          ))}
        </Group>
      )}
    </Groups>
  );
}

/** Null for a channel that only attempted deliveries of other days. */
function Delivered({ delivery }: { delivery: DeliveryHealth['deliveries'][number] | undefined }) {
  if (delivery === undefined || delivery.total === 0) return null;
  const { delivered, total } = delivery;
  return (
    <dd>
      <strong>{insightCopy.percent(share(delivered, total) ?? 0)}</strong>
      <span>{copy.ofDeliveries(delivered, total)}</span>
    </dd>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <h3>{title}</h3>
      <dl>{children}</dl>
    </div>
  );
}

const Groups = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: 1.25rem 3rem;
  padding-block-start: 1.25rem;
  border-block-start: 1px solid ${token.line};

  & h3 {
    margin-block-end: 0.5rem;
    color: ${token.muted};
    font-size: 0.8125rem;
    font-weight: 600;
    letter-spacing: 0;
  }

  & dl {
    display: flex;
    flex-wrap: wrap;
    gap: 0.75rem clamp(1rem, 3vw, 2rem);
  }
`;

const Fact = styled.div`
  font-size: 0.875rem;
  font-variant-numeric: tabular-nums;
  line-height: 1.4;

  & dd {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    gap: 0 0.5rem;
    color: ${token.muted};
  }

  & strong {
    color: ${token.primary};
    font-size: 1.125rem;
    font-weight: 700;
  }
`;

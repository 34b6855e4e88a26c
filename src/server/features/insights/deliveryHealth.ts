import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { leadChannels } from '#shared/admin/deliveries.ts';
import type { DeliveryHealth, InsightsRange } from '#shared/admin/insights.ts';
import type { Database } from '../../db/connect.ts';
import { repeatReason } from '../outbox/repeats.ts';
import { addUp, cameIn, endOf, rangeDays, inHalves, readFigureRows, startOf } from './rangeDays.ts';

const channelDay = z.object({
  day: z.string(),
  /** Null for a day without attempts. */
  channel: z.string().nullable(),
  delivered: z.number(),
  failed: z.number(),
});
type ChannelDay = z.output<typeof channelDay>;

const attemptsByDay = (range: InsightsRange): SQL => sql`
  select days.day, counts.channel, coalesce(counts.delivered, 0)::int as delivered, coalesce(counts.failed, 0)::int as failed
  from ${rangeDays(range)} left join lateral (
    select channel, count(*) filter (where outcome = 'delivered') as delivered, count(*) filter (where outcome = 'failed') as failed
    from delivery_attempts where at >= days.since and at < days.until and channel <> 'webhook' group by channel
  ) as counts on true order by days.day`;

/**
 * A lead whose email is canceled as a repeat was reached. One whose emails are all canceled otherwise goes to nobody.
 */
const leadsReached = (range: InsightsRange): SQL => sql`
  select count(*) filter (where is_reached)::int as reached, count(*)::int as total from (
    select bool_or(d.state = 'delivered' or d.reason = ${repeatReason}) as is_reached
    from leads join deliveries d on d.lead_id = leads.id and d.provider_id = leads.provider_id
    where ${cameIn(range)} and leads.provider_id is not null and d.channel = 'provider-email' and d.template = 'lead'
      and (d.state <> 'cancelled' or d.reason = ${repeatReason})
    group by leads.id
  ) as sent`;

const deliveriesByChannel = (range: InsightsRange): SQL => sql`
  select channel, count(*) filter (where state = 'delivered')::int as delivered, count(*)::int as total from deliveries
  where created_at >= ${startOf(range.from, range)} and created_at < ${endOf(range.to, range)}
    and template = 'lead' and state <> 'cancelled'
  group by channel`;

const reachedRow = z.object({ reached: z.number(), total: z.number() });
const channelRow = z.object({ channel: z.string(), delivered: z.number(), total: z.number() });

/**
 * How many leads reached their provider, the deliveries by channel, and attempts to deliver leads by day, and by channel
 * for the whole range: every channel of leads, with or without attempts. Attempts of deleted leads count; webhooks do not. Attempts are read from `delivery_attempts_at_idx` only. Throws
 * SERVICE_UNAVAILABLE after ten seconds.
 */
export async function deliveryHealth(db: Database, range: InsightsRange): Promise<DeliveryHealth> {
  const days = await inHalves(range, (half) => readFigureRows(db, channelDay, attemptsByDay(half)));
  const leads = await inHalves(range, (half) => readFigureRows(db, reachedRow, leadsReached(half)));
  const sent = await inHalves(range, (half) => readFigureRows(db, channelRow, deliveriesByChannel(half)));
  const addAttempts = (rows: readonly ChannelDay[]) => ({
    delivered: addUp(rows, 'delivered'),
    failed: addUp(rows, 'failed'),
  });
  return {
    leads: { reached: addUp(leads, 'reached'), total: addUp(leads, 'total') },
    deliveries: leadChannels.map((channel) => {
      const rows = sent.filter((row) => row.channel === channel);
      return { channel, delivered: addUp(rows, 'delivered'), total: addUp(rows, 'total') };
    }),
    days: [...Map.groupBy(days, ({ day }) => day)].map(([day, rows]) => ({ day, ...addAttempts(rows) })),
    channels: leadChannels.map((channel) => ({
      channel,
      ...addAttempts(days.filter((row) => row.channel === channel)),
    })),
  };
}

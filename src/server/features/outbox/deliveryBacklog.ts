import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { type DeliveryChannel, deliveryChannels } from '#shared/admin/deliveries.ts';
import type { Queryable } from '#server/db/connect.ts';
import { readRows } from '#server/db/readRows.ts';
import { isEndpointQueue, queuesWithRows } from './lease.ts';

/** A queue is counted up to this: a larger number says nothing more, and counting would take long. */
export const backlogMax = 10_000;

export interface ChannelBacklog {
  channel: DeliveryChannel;
  /** Of each queue and state `backlogMax` at most. */
  queued: number;
  /** Without those that a refusal holds, which alerts report. */
  held: number;
  /** How long its oldest due delivery has been due; 0: none is. */
  oldestDueSeconds: number;
}

/** The waiting deliveries of every channel, from indexes that contain only these. `now` is the database's time. */
export async function readDeliveryBacklog(db: Queryable, now: Date): Promise<ChannelBacklog[]> {
  const at = now.toISOString();
  const queue = z.object({ queue: z.string(), queued: z.number(), due: z.number() });
  const queues = await readRows(db, queue)`
    with ${queuesWithRows}
    select queues.queue,
      (select count(*)::int from (
        select from deliveries where queue = queues.queue and state = 'queued' limit ${backlogMax}) as counted) as queued,
      coalesce((select extract(epoch from ${at}::timestamptz - min(next_attempt_at))::float8 from deliveries
        where queue = queues.queue and state = 'queued' and next_attempt_at <= ${at}::timestamptz), 0) as due
    from queues where queues.queue is not null`;
  const names = sql.param([...deliveryChannels]);
  const held = await readRows(db, z.object({ channel: z.string(), held: z.number() }))`
    select channel, (select count(*)::int from (
      select from deliveries where channel = names.channel and state = 'held' and hold_cause is null limit ${backlogMax}) as counted) as held
    from unnest(${names}::text[]) as names (channel)`;
  return deliveryChannels.map((channel) => {
    const own = queues.filter(({ queue: name }) =>
      channel === 'webhook' ? isEndpointQueue(name) : name === channel,
    );
    return {
      channel,
      queued: own.reduce((sum, { queued }) => sum + queued, 0),
      held: held.find((row) => row.channel === channel)?.held ?? 0,
      oldestDueSeconds: Math.max(0, ...own.map(({ due }) => due)),
    };
  });
}

import { and, asc, eq, inArray, not, type SQL, sql } from 'drizzle-orm';
import { leadChannels } from '#shared/admin/deliveries.ts';
import { dayMs } from '#shared/formats/time.ts';
import { rematchDaysMax } from '#shared/leads/leadOutcomes.ts';
import type { Queryable } from '#server/db/connect.ts';
import { deliveries } from '#server/db/schema/index.ts';
import { channelsTo } from './channelRules.ts';
import { changeDeliveries, type DeliveryChange } from './deliveryStates.ts';
import type { Channels } from './types.ts';

/** At a time, so that no statement changes a backlog of months. */
const batchSize = 1_000;

/** Why a held message was cancelled. */
const staleReason = `It waited for more than ${rematchDaysMax} days, too long to be of use.`;

/** Changes the oldest held deliveries that match. Returns how many. */
async function changeHeld(
  db: Queryable,
  change: DeliveryChange,
  condition: SQL | undefined,
): Promise<number> {
  const isHeld = eq(deliveries.state, 'held');
  const batch = await db
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(and(isHeld, condition))
    .orderBy(asc(deliveries.createdAt))
    .limit(batchSize);
  if (batch.length === 0) return 0;
  const ids = batch.map(({ id }) => id);
  // Held still: another process may have changed them since.
  const changed = await changeDeliveries(db, change, { where: and(isHeld, inArray(deliveries.id, ids)) });
  return changed.length;
}

/**
 * Queues held deliveries whose channel is ready now, and cancels held messages that are stale: about a lead, never
 * attempted, and too old to be expected. Notices of a withdrawal or an erasure and CRM deliveries are never stale. Safe
 * in any number of processes. Returns how many it queued.
 */
export async function releaseHeld(db: Queryable, channels: Channels, now: Date): Promise<number> {
  const { channel, template, attempts, createdAt, holdCause } = deliveries;
  const oldest = new Date(now.getTime() - rematchDaysMax * dayMs).toISOString();
  // Not `<> 'crm'`: an installation without a CRM holds a row per lead, which the index must leave out.
  const isMessage = inArray(channel, channelsTo('person', 'provider'));
  const isStale = sql`(${isMessage} and ${template} = 'lead' and ${attempts} = 0 and ${createdAt} < ${oldest}::timestamptz)`;
  await changeHeld(db, { state: 'cancelled', reason: staleReason, finishedAt: now }, isStale);
  const ready = leadChannels.filter((name) => channels[name].heldReason() === null);
  if (ready.length === 0) return 0;
  return changeHeld(
    db,
    { state: 'queued', nextAttemptAt: now, reason: null },
    // What is held for an unreachable address leaves by its own rules (features/unreachable).
    and(inArray(channel, ready), not(isStale), sql`${holdCause} is distinct from 'unreachable'`),
  );
}

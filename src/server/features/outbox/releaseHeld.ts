import { and, asc, eq, inArray, isNull, not, or, type SQL, sql } from 'drizzle-orm';
import { leadChannels } from '#shared/admin/deliveries.ts';
import { dayMs, hourMs } from '#shared/formats/time.ts';
import { rematchDaysMax } from '#shared/leads/leadOutcomes.ts';
import type { Queryable } from '#server/db/connect.ts';
import { deliveries } from '#server/db/schema/index.ts';
import { channelsTo } from './channelRules.ts';
import { changeDeliveries, type DeliveryChange, queueAt } from './deliveryStates.ts';
import { isDecided, isHeldDue, endHoldAlerts, tryUnsentAgain } from './refused/holds.ts';
import type { Channels } from './types.ts';
import type { Services } from '#server/services.ts';
import { reclassifyFailed } from './refused/reclassifyFailed.ts';
import { reviseRuns } from './refused/refusalRuns.ts';
import { releaseRepeats } from './repeats.ts';

/** At a time, so that no statement changes a backlog of months. */
const batchSize = 1_000;

/** Why a held message was cancelled. */
export const staleReason = `It waited for more than ${rematchDaysMax} days, too long to be of use.`;

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
  const changed = await changeDeliveries(db, and(isHeld, inArray(deliveries.id, ids)), change);
  return changed.length;
}

/**
 * Queues held deliveries whose channel is ready now, and those that a refusal holds when they are due. Cancels held
 * messages that are stale: about a lead, too old to be expected, and never attempted or refused by the person's mail
 * server. Notices of a withdrawal or an erasure and CRM deliveries are never stale. What is held
 * for an unreachable address leaves by its own rules, and what waits for staff once they decided. Safe in any number of processes. Returns how many it queued.
 */
export async function releaseHeld(db: Queryable, channels: Channels, now: Date): Promise<number> {
  const { channel, template, attempts, createdAt, holdCause } = deliveries;
  const oldest = new Date(now.getTime() - rematchDaysMax * dayMs).toISOString();
  // Not `<> 'crm'`: an installation without a CRM holds a row per lead, which the index must leave out.
  const isMessage = inArray(channel, channelsTo('person', 'provider'));
  const isRefused = sql`(${holdCause} is not null and ${inArray(channel, channelsTo('person'))})`;
  const isStale = sql`(${isMessage} and ${template} = 'lead' and (${attempts} = 0 or ${isRefused}) and ${createdAt} < ${oldest}::timestamptz)`;
  await changeHeld(db, { state: 'cancelled', reason: staleReason, finishedAt: now }, isStale);
  const ready = leadChannels.filter((name) => channels[name].heldReason() === null);
  if (ready.length === 0) return 0;
  return changeHeld(
    db,
    queueAt(now),
    and(inArray(channel, ready), not(isStale), or(isNull(holdCause), isHeldDue(now), isDecided())),
  );
}

/** A process of 1.0.0 that runs beside this one may leave more. */
const judgedEveryMs = hourMs;

/**
 * The work of each minute on deliveries that wait for a refusal to end, or that repeat a message that never arrived.
 * The first run of a process also tries what this installation refused to send, because its settings may have changed.
 * From then on it judges what 1.0.0 left as failed: a batch a minute until none is left, then every hour.
 */
export function createHeldTender({
  db,
  channels,
  now,
}: Pick<Services, 'db' | 'channels' | 'now'>): () => Promise<void> {
  let isFirst = true;
  let judgedAt = 0;
  return async () => {
    if (isFirst) await tryUnsentAgain(db, now());
    isFirst = false;
    const isDue = now().getTime() - judgedAt >= judgedEveryMs;
    if (isDue && (await reclassifyFailed(db, now())) === 0) judgedAt = now().getTime();
    await reviseRuns(db, now());
    await endHoldAlerts(db);
    await releaseHeld(db, channels, now());
    await releaseRepeats(db, now());
  };
}

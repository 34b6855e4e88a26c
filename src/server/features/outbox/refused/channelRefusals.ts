import { and, asc, eq, gt, inArray, isNotNull, isNull, sql } from 'drizzle-orm';
import type { LeadChannel } from '#shared/admin/deliveries.ts';
import type { Database, Queryable } from '#server/db/connect.ts';
import { channelRefusals, type ChannelRefusalRow, deliveries } from '#server/db/schema/index.ts';
import { clearAlert, raiseAlert } from '../../alerts/alerts.ts';
import { getFamily } from '../channelRules.ts';
import { leaseEnd } from '../lease.ts';
import type { DeliveredResult, FailedResult } from '../types.ts';

/** Seconds between the attempts of a paused channel: short at first, because most such faults are restarts. */
const probeSeconds = [5, 60, 300, 900, 1_800, 3_600] as const;

/** An attempt of a channel, as it is recorded. */
export interface ChannelResult {
  channel: LeadChannel;
  result: DeliveredResult | FailedResult;
}

/** Channels that refuse this installation. Almost always none. */
export function listChannelRefusals(db: Queryable): Promise<ChannelRefusalRow[]> {
  return db.select().from(channelRefusals);
}

/** Whether the channel named a recipient, and so let us in. */
function isLetIn({ result }: ChannelResult): boolean {
  return result.outcome === 'delivered' || (result.status !== null && result.pausesChannel !== true);
}

/** A refusal that concerns this installation; null: none. */
function refusalOfUs({ result }: ChannelResult): FailedResult | null {
  const isOurs = result.outcome === 'failed' && result.refusal === 'ours' && result.isProviderKey !== true;
  return isOurs ? result : null;
}

/**
 * What attempts say about their channels, in the transaction that records them. A refusal of ours raises the one alert
 * of its channel. One before any recipient was named pauses the channel too. The first recipient that is named ends the
 * pause, and the first accepted delivery ends the alert. `known`: of `listChannelRefusals`.
 */
export async function judgeChannels(
  tx: Queryable,
  results: readonly ChannelResult[],
  { known, now }: { known: readonly ChannelRefusalRow[]; now: Date },
): Promise<void> {
  for (const channel of new Set(results.map((one) => one.channel))) {
    const own = results.filter((one) => one.channel === channel);
    const row = known.find((one) => one.channel === channel);
    const letIn = own.filter(isLetIn);
    const refused = own.map(refusalOfUs).findLast((one) => one !== null) ?? null;
    const isPaused = row !== undefined && row.nextProbeAt !== null;
    if (letIn.some(({ result }) => result.outcome === 'delivered')) {
      const isEnded = (one: ChannelRefusalRow): boolean =>
        one.channel === channel || (one.isRun && getFamily(channel).some((other) => other === one.channel));
      for (const ended of known.filter(isEnded)) await endRefusal(tx, ended.channel);
    } else if (refused !== null) {
      const pauses = letIn.length === 0 && refused.pausesChannel === true;
      await storeRefusal(tx, { channel, reason: refused.reason }, { pauses, now });
    } else if (isPaused && letIn.length > 0)
      await tx.update(channelRefusals).set({ nextProbeAt: null }).where(eq(channelRefusals.channel, channel));
    if (isPaused && letIn.length > 0) await resume(tx, channel, now);
  }
}

async function endRefusal(tx: Queryable, channel: ChannelRefusalRow['channel']): Promise<void> {
  await tx.delete(channelRefusals).where(eq(channelRefusals.channel, channel));
  await clearAlert(tx, { kind: 'channel-refused', subject: channel });
}

/** Stores that a channel refuses us, with its alert. `pauses`: until it is attempted again, or lets us in. */
export async function storeRefusal(
  tx: Queryable,
  { channel, reason }: { channel: LeadChannel; reason: string },
  { pauses: isPause, now }: { pauses: boolean; now: Date },
): Promise<void> {
  const first = new Date(now.getTime() + probeSeconds[0] * 1000);
  const seconds = sql`(${sql.param([...probeSeconds])}::int[])[least(${channelRefusals.probes}, ${probeSeconds.length - 1}) + 1]`;
  await tx
    .insert(channelRefusals)
    .values({ channel, since: now, nextProbeAt: isPause ? first : null })
    .onConflictDoUpdate({
      target: channelRefusals.channel,
      set: {
        nextProbeAt: isPause
          ? sql`${now.toISOString()}::timestamptz + ${seconds} * interval '1 second'`
          : null,
      },
    });
  await raiseAlert(tx, { kind: 'channel-refused', subject: channel, message: reason, now });
}

/** The queues of the channels that are paused. */
export async function listPausedQueues(db: Queryable): Promise<string[]> {
  const { channel, nextProbeAt } = channelRefusals;
  const rows = await db.select({ channel }).from(channelRefusals).where(isNotNull(nextProbeAt));
  return rows.map((row) => row.channel);
}

/** Whether a channel that is paused gets its next attempt now: true for one process only. */
export async function takeProbe(db: Database, queue: string, now: Date): Promise<boolean> {
  const { nextProbeAt, probes } = channelRefusals;
  const taken = await db
    .update(channelRefusals)
    .set({ nextProbeAt: leaseEnd(now), probes: sql`${probes} + 1` })
    .where(
      and(
        sql`${channelRefusals.channel} = ${queue}`,
        sql`${nextProbeAt} <= ${now.toISOString()}::timestamptz`,
      ),
    )
    .returning({ channel: channelRefusals.channel });
  return taken.length > 0;
}

/** Makes what waits for a retry due now, but not within an Undo. Skips locked rows: they are due soon anyway. */
async function resume(tx: Queryable, channel: LeadChannel, now: Date): Promise<void> {
  const { id, queue, state, leasedUntil, nextAttemptAt, attempts, attemptsBeforeRound } = deliveries;
  const isRetry = gt(attempts, attemptsBeforeRound);
  const isIdle = and(isNull(leasedUntil), gt(nextAttemptAt, now));
  const waiting = tx
    .select({ id })
    .from(deliveries)
    .where(and(eq(queue, channel), eq(state, 'queued'), isIdle, isRetry))
    .orderBy(asc(id))
    .for('update', { skipLocked: true });
  await tx.update(deliveries).set({ nextAttemptAt: now }).where(inArray(id, waiting));
}

/** The channels that refuse one recipient after the other count as refusing us, until one is accepted. */
export async function markRun(
  tx: Queryable,
  { channels, message, now }: { channels: readonly LeadChannel[]; message: string; now: Date },
): Promise<void> {
  for (const channel of channels) {
    await tx
      .insert(channelRefusals)
      .values({ channel, since: now, isRun: true })
      .onConflictDoUpdate({ target: channelRefusals.channel, set: { isRun: true } });
    await raiseAlert(tx, { kind: 'channel-refused', subject: channel, message, now });
  }
}

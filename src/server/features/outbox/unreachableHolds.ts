import { and, asc, countDistinct, eq, inArray, lte, min, ne, not, type SQL, sql } from 'drizzle-orm';
import { dayMs, minuteMs } from '#shared/formats/time.ts';
import type { Queryable } from '#server/db/connect.ts';
import { deliveries, type DeliveryRow, staffTasks } from '#server/db/schema/index.ts';
import { system } from '../audit/audit.ts';
import { bouncedStart } from './bounce.ts';
import { changeDeliveries, queueAt } from './deliveryStates.ts';
import { clearFailureFlags, flagFailedDeliveries } from './leadStatus.ts';
import { lockLeadsByDelivery } from './requeue.ts';

// Emails to providers that are held because an address is marked as unreachable. features/unreachable decides when they
// leave.

/** Staff get a task about what is held after this time. */
const taskAfterMs = dayMs;
/** A lead isn't sent by itself after this time: staff have called the clinic, or assigned another. */
const expiresAfterMs = 3 * dayMs;

/** Why a lead isn't sent by itself any more. */
const expiredReason =
  'The clinic’s mailbox refused email for 72 hours, so this isn’t sent by itself. Call the clinic, assign another or retry.';
const requestedReason = 'Staff asked to send this again.';
const judgedReason = 'An earlier version didn’t send this because an email had bounced.';
/** Why a message was canceled that couldn't be sent: staff may send it after all. */
export const handledReason = 'It couldn’t be sent for 72 hours, and staff completed the task.';

const isHeld = and(eq(deliveries.state, 'held'), eq(deliveries.holdCause, 'unreachable'));

function isHeldFor(providerIds: readonly number[]): SQL | undefined {
  return and(isHeld, inArray(deliveries.providerId, [...providerIds]));
}

/** A subquery: how many leads wait for each provider, and since when. */
export function waitingOfEach(db: Queryable) {
  return db
    .select({
      providerId: sql<number>`${deliveries.providerId}`.as('waiting_provider_id'),
      leads: countDistinct(deliveries.leadId).as('waiting_leads'),
      since: min(deliveries.createdAt).as('waiting_since'),
    })
    .from(deliveries)
    .where(isHeld)
    .groupBy(deliveries.providerId)
    .as('waiting');
}

/** The providers that emails are held for. */
export async function listHeldProviders(db: Queryable): Promise<number[]> {
  const rows = await db.selectDistinct({ id: deliveries.providerId }).from(deliveries).where(isHeld);
  return rows.flatMap(({ id }) => id ?? []);
}

interface Release {
  providerIds: readonly number[];
  now: Date;
  limit: number;
  /** Sent although the address is marked: it tries the address. */
  ignoresUnreachable: boolean;
  /** Only those that arrived since. */
  createdSince?: Date;
}

/**
 * Queues the oldest emails that are held for providers, except those that only staff may send. Returns how many. What
 * 1.0.0 held again after a rollback has no time and leaves like the others.
 */
export async function releaseUnreachable(tx: Queryable, release: Release): Promise<number> {
  const { providerIds, now, limit, ignoresUnreachable, createdSince } = release;
  const { id, leadId, createdAt, reason, attempts } = deliveries;
  const chosen = await tx
    .select({ id })
    .from(deliveries)
    .where(
      and(
        isHeldFor(providerIds),
        ne(reason, expiredReason),
        createdSince === undefined
          ? undefined
          : sql`${createdAt} >= ${createdSince.toISOString()}::timestamptz`,
      ),
    )
    .orderBy(asc(createdAt), asc(leadId), asc(id))
    .limit(Math.max(0, limit));
  if (chosen.length === 0) return 0;
  const ids = chosen.map((row) => row.id);
  const set = { ignoresUnreachable, attemptsBeforeRound: sql`${attempts}` };
  const queued = await changeDeliveries(tx, and(isHeld, inArray(id, ids)), { ...queueAt(now), set });
  return queued.length;
}

/** How many emails to these providers are due or in progress. */
export function countUnderWay(tx: Queryable, providerIds: readonly number[], now: Date): Promise<number> {
  const { queue, state, providerId, nextAttemptAt } = deliveries;
  const soon = new Date(now.getTime() + minuteMs);
  const isUnderWay = and(eq(queue, 'provider-email'), eq(state, 'queued'), lte(nextAttemptAt, soon));
  return tx.$count(deliveries, and(isUnderWay, inArray(providerId, [...providerIds])));
}

interface Held {
  providerIds: readonly number[];
  /** When the address was marked. */
  since: Date;
  now: Date;
}

/** Since when an email has been held: it arrived, or was accepted and bounced, while the address is marked. */
function heldSince(since: Date): SQL {
  return sql`greatest(${deliveries.createdAt}, ${since.toISOString()}::timestamptz)`;
}

function isHeldLongerThan(ms: number, { since, now }: Held): SQL {
  return sql`${heldSince(since)} <= ${new Date(now.getTime() - ms).toISOString()}::timestamptz`;
}

/** Not by us because an email arrived: one that bounced after that is a task again. */
const isByStaff = sql`${staffTasks.doneBy} is distinct from ${system.name}`;

function hasTask(condition: SQL): SQL {
  return sql`exists (
    select from ${staffTasks} where ${staffTasks.kind} = 'not-reached' and ${staffTasks.leadId} = ${deliveries.leadId}
      and ${condition} and ${isByStaff})`;
}

/**
 * The leads whose provider was not reached for a day, or not at all after a complaint, and about which staff have had
 * no task. A notice of a withdrawal counts too: the clinic must learn of it.
 */
export async function listNotReached(
  tx: Queryable,
  { isComplaint, ...held }: Held & { isComplaint: boolean },
): Promise<number[]> {
  const rows = await tx
    .selectDistinct({ leadId: deliveries.leadId })
    .from(deliveries)
    .where(
      and(
        isHeldFor(held.providerIds),
        inArray(deliveries.template, ['lead', 'withdrawn']),
        isHeldLongerThan(isComplaint ? 0 : taskAfterMs, held),
        not(hasTask(sql`${staffTasks.createdAt} >= ${heldSince(held.since)}`)),
      ),
    );
  return rows.flatMap(({ leadId }) => leadId ?? []);
}

/** Ends automatic sending of leads after 72 hours. Notices of a withdrawal or an erasure never end. */
export async function expireHolds(tx: Queryable, held: Held): Promise<void> {
  const { reason, template } = deliveries;
  const isExpired = and(
    isHeldFor(held.providerIds),
    eq(template, 'lead'),
    isHeldLongerThan(expiresAfterMs, held),
  );
  await tx
    .update(deliveries)
    .set({ nextAttemptAt: null, reason: expiredReason })
    .where(and(isExpired, sql`${reason} <> ${expiredReason}`));
}

/** Cancels what was not sent for 72 hours and whose task staff have completed since. */
export async function cancelHandled(tx: Queryable, now: Date): Promise<void> {
  const { id, reason, createdAt } = deliveries;
  const isDone = hasTask(sql`${staffTasks.doneAt} > ${createdAt}`);
  const isHandled = and(isHeld, eq(reason, expiredReason), isDone);
  const handled = await tx.select({ id }).from(deliveries).where(isHandled);
  if (handled.length === 0) return;
  const ids = handled.map((row) => row.id);
  const leadIds = await lockLeadsByDelivery(tx, ids);
  const change = { state: 'cancelled', reason: handledReason, finishedAt: now } as const;
  await changeDeliveries(tx, and(inArray(id, ids), isHandled), change);
  await clearFailureFlags(tx, leadIds);
}

/** Makes all that is held for providers due now, at the request of staff: also what isn't sent by itself. */
export async function requestHolds(
  tx: Queryable,
  providerIds: readonly number[],
  now: Date,
): Promise<number> {
  const requested = await tx
    .update(deliveries)
    .set({ nextAttemptAt: now, reason: requestedReason })
    .where(isHeldFor(providerIds))
    .returning({ id: deliveries.id });
  return requested.length;
}

/** Lets a delivery leave although its recipient is marked, with all attempts of its round. */
export async function letThrough(tx: Queryable, id: string): Promise<void> {
  await tx.update(deliveries).set({ ignoresUnreachable: true }).where(eq(deliveries.id, id));
}

/** Sets when an email is tried that was just held because its recipient refused it. */
export async function postponeHold(tx: Queryable, id: string, nextAttemptAt: Date | null): Promise<void> {
  await tx
    .update(deliveries)
    .set({ nextAttemptAt })
    .where(and(isHeld, eq(deliveries.id, id)));
}

interface FailedRows {
  rows: readonly (Pick<DeliveryRow, 'id' | 'template' | 'createdAt'> & { leadId: number })[];
  now: Date;
  /** Why the address gets nothing by itself; null: what isn't too old is due now. */
  complaintReason: string | null;
}

/**
 * Holds emails that failed because their address was listed or bounced, whose leads the caller has locked. Leads that
 * are older than 72 hours are for staff only. Returns the leads that the clinic should have known of for a day.
 */
export async function holdFailed(
  tx: Queryable,
  { rows, now, complaintReason }: FailedRows,
): Promise<number[]> {
  const isOlder = ({ createdAt }: Pick<DeliveryRow, 'createdAt'>, ms: number): boolean =>
    now.getTime() - createdAt.getTime() > ms;
  const isExpired = (row: FailedRows['rows'][number]): boolean =>
    row.template === 'lead' && isOlder(row, expiresAfterMs);
  const nextAttemptAt = complaintReason === null ? now : null;
  const changes = [
    { of: rows.filter(isExpired), reason: expiredReason, nextAttemptAt: null },
    { of: rows.filter((row) => !isExpired(row)), reason: complaintReason ?? judgedReason, nextAttemptAt },
  ];
  const bounces = sql`${deliveries.bounces} + case when ${deliveries.reason} like ${`${bouncedStart}%`} then 1 else 0 end`;
  for (const { of, ...hold } of changes) {
    const ids = of.map(({ id }) => id);
    const isFailed = and(inArray(deliveries.id, ids), eq(deliveries.state, 'failed'));
    await changeDeliveries(tx, isFailed, {
      ...{ state: 'held', holdCause: 'unreachable', ...hold },
      set: { bounces },
    });
  }
  const leadIds = rows.map(({ leadId }) => leadId);
  await flagFailedDeliveries(tx, leadIds);
  return rows.flatMap((row) => (row.template !== 'erased' && isOlder(row, taskAfterMs) ? [row.leadId] : []));
}

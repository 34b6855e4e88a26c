import { and, asc, eq, exists, inArray, isNull, lte, not, or, type SQL, sql } from 'drizzle-orm';
import { suppressedReason } from '#shared/leads/suppression.ts';
import type { Queryable } from '#server/db/connect.ts';
import { deliveries, type DeliveryRow, leads } from '#server/db/schema/index.ts';
import { clearFailureFlags } from './leadStatus.ts';
import { isLeadSuppressed } from '../suppression/suppressions.ts';

interface Requeue {
  now: Date;
  /** Of `dataKeys.current('identity')`: suppressions are stored as hashes under it. */
  identityKey: Buffer;
}

/**
 * Queues a lead's deliveries for an attempt now, with a new retry schedule: those that are queued, failed or held, and those that a suppression
 * cancelled which was lifted since. Skips those with an attempt in progress. Returns their ids.
 */
export async function requeue(
  db: Queryable,
  ids: readonly string[],
  { now, identityKey }: Requeue,
): Promise<string[]> {
  if (ids.length === 0) return [];
  const leadIds = await lockLeadsOf(db, ids);
  const mayBeContacted = db
    .select({ one: sql`1` })
    .from(leads)
    .where(and(eq(leads.id, deliveries.leadId), not(isLeadSuppressed(identityKey))));
  const wasLifted = and(
    eq(deliveries.state, 'cancelled'),
    eq(deliveries.reason, suppressedReason),
    exists(mayBeContacted),
  );
  const isOpen = inArray(deliveries.state, ['queued', 'failed', 'held']);
  const queued = await queueAgain(db, and(inArray(deliveries.id, [...ids]), or(isOpen, wasLifted)), now);
  await clearFailureFlags(db, leadIds);
  return queued.map(({ id }) => id).toSorted();
}

/** Leads are locked before their deliveries, as everywhere. */
async function lockLeadsOf(db: Queryable, ids: readonly string[]): Promise<number[]> {
  const ofThese = db
    .select({ leadId: deliveries.leadId })
    .from(deliveries)
    .where(inArray(deliveries.id, [...ids]));
  const locked = await db
    .select({ id: leads.id })
    .from(leads)
    .where(inArray(leads.id, ofThese))
    .orderBy(asc(leads.id))
    .for('no key update');
  return locked.map(({ id }) => id);
}

/** Starts a new round of attempts for the deliveries that match, except those with an attempt in progress. Returns them. */
export async function queueAgain(
  db: Queryable,
  condition: SQL | undefined,
  now: Date,
): Promise<Pick<DeliveryRow, 'id' | 'endpointId'>[]> {
  const idle = db
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(and(condition, or(isNull(deliveries.leasedUntil), lte(deliveries.leasedUntil, now))))
    .orderBy(asc(deliveries.id))
    .for('update');
  return db
    .update(deliveries)
    .set({
      state: 'queued',
      reason: null,
      nextAttemptAt: now,
      finishedAt: null,
      leasedUntil: null,
      attemptsBeforeRound: sql`${deliveries.attempts}`,
    })
    .where(inArray(deliveries.id, idle))
    .returning({ id: deliveries.id, endpointId: deliveries.endpointId });
}

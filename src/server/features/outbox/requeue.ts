import { and, asc, eq, exists, inArray, isNull, lte, not, or, sql } from 'drizzle-orm';
import { suppressedReason } from '#shared/leads/suppression.ts';
import type { Queryable } from '#server/db/connect.ts';
import { deliveries, leads } from '#server/db/schema/index.ts';
import { isLeadSuppressed } from '../suppression/suppressions.ts';

/** What deliveries are queued with. */
interface Requeue {
  now: Date;
  /** Of `dataKeys.current('identity')`: suppressions are kept as hashes under it. */
  identityKey: Buffer;
}

/**
 * Queues deliveries to be tried at once, their schedule begun anew: those that wait, failed or are held; not what was delivered or called off, but for
 * suppressions that were lifted since, and none that is being tried. Returns their ids.
 */
export async function requeue(
  db: Queryable,
  ids: readonly string[],
  { now, identityKey }: Requeue,
): Promise<string[]> {
  if (ids.length === 0) return [];
  const mayBeContacted = db
    .select({ one: sql`1` })
    .from(leads)
    .where(and(eq(leads.id, deliveries.leadId), not(isLeadSuppressed(identityKey))));
  const open = db
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(
      and(
        inArray(deliveries.id, [...ids]),
        or(
          inArray(deliveries.state, ['queued', 'failed', 'held']),
          and(
            eq(deliveries.state, 'cancelled'),
            eq(deliveries.reason, suppressedReason),
            exists(mayBeContacted),
          ),
        ),
        or(isNull(deliveries.leasedUntil), lte(deliveries.leasedUntil, now)),
      ),
    )
    .orderBy(asc(deliveries.id))
    .for('update');
  const queued = await db
    .update(deliveries)
    .set({
      state: 'queued',
      reason: null,
      nextAttemptAt: now,
      finishedAt: null,
      leasedUntil: null,
      attemptsBeforeRound: sql`${deliveries.attempts}`,
    })
    .where(inArray(deliveries.id, open))
    .returning({ id: deliveries.id });
  return queued.map(({ id }) => id).toSorted();
}

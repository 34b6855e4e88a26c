import { and, asc, inArray, isNull, lte, or, sql } from 'drizzle-orm';
import type { Queryable } from '../../db/connect.ts';
import { deliveries } from '../../db/schema/index.ts';

/**
 * Queues deliveries to be tried at once, their schedule begun anew: those that wait, failed or are held; not what was delivered or called off, and
 * none that is being tried. Returns their ids.
 */
export async function requeue(db: Queryable, ids: readonly string[], now: Date): Promise<string[]> {
  if (ids.length === 0) return [];
  const open = db
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(
      and(
        inArray(deliveries.id, [...ids]),
        inArray(deliveries.state, ['queued', 'failed', 'held']),
        or(isNull(deliveries.claimedUntil), lte(deliveries.claimedUntil, now)),
      ),
    )
    .orderBy(asc(deliveries.id))
    .for('update');
  const queued = await db
    .update(deliveries)
    .set({
      state: 'queued',
      reason: null,
      nextTryAt: now,
      finishedAt: null,
      claimedUntil: null,
      roundBegan: sql`${deliveries.tries}`,
    })
    .where(inArray(deliveries.id, open))
    .returning({ id: deliveries.id });
  return queued.map(({ id }) => id).toSorted();
}

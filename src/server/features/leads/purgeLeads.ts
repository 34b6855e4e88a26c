import { and, asc, inArray, isNotNull, lt, lte, ne, notExists, or, type SQL, sql } from 'drizzle-orm';
import { dayMs } from '#shared/formats/time.ts';
import type { Queryable } from '#server/db/connect.ts';
import { deliveries, leads } from '#server/db/schema/index.ts';
import { forgetKeys } from '../submissions/idempotency.ts';
import { recordEvents } from '../webhooks/recordEvents.ts';
import { leadDeleted } from './leadEvents.ts';
import { allows } from './leadStates.ts';

/** How long a deleted lead can be restored. Then it is purged. */
export const undoDays = 30;

const batchSize = 500;

interface Purged {
  condition: SQL | undefined;
  /** Oldest first. */
  order: SQL;
}

/**
 * Deletes a batch of leads that match, oldest first, with their attribution, deliveries, outcomes, tasks and
 * idempotency keys. Records the deletion of those that staff had not deleted. Evidence of consent stays. Returns how
 * many.
 */
function purgeLeads(db: Queryable, { condition, order }: Purged): Promise<number> {
  return db.transaction(async (tx) => {
    const found = await tx
      .select({ id: leads.id })
      .from(leads)
      .where(condition)
      .orderBy(order)
      .limit(batchSize)
      .for('update', { skipLocked: true });
    if (found.length === 0) return 0;
    const ids = found.map(({ id }) => id);
    // The condition again: before the leads were locked, a delivery may have been added to one of them.
    const purged = await tx
      .delete(leads)
      .where(and(inArray(leads.id, ids), condition))
      .returning({
        id: leads.id,
        providerId: leads.providerId,
        quarantinedAt: leads.quarantinedAt,
        deletedAt: leads.deletedAt,
      });
    await recordEvents(
      tx,
      purged.flatMap((lead) => (lead.deletedAt === null ? leadDeleted(lead) : [])),
    );
    if (purged.length > 0)
      await forgetKeys(
        tx,
        purged.map(({ id }) => id),
      );
    return purged.length;
  });
}

/**
 * Deletes a batch of the leads that were deleted thirty days ago (`purgeLeads`). Tombstones stay. Any number of
 * processes may call it. Returns how many leads it purged.
 */
export function purgeDeletedLeads(db: Queryable, now: Date): Promise<number> {
  const before = new Date(now.getTime() - undoDays * dayMs);
  return purgeLeads(db, {
    condition: and(allows('purge'), lte(leads.deletedAt, before)),
    order: asc(leads.deletedAt),
  });
}

/** Written as in the indexes, read backward. */
const byArrival = sql`${leads.createdAt} nulls first`;

/** Leads that wait for the rate limit are no junk, and are released when it allows. */
const isNotOverLimit = sql`${leads.quarantineReason} is distinct from 'over-limit'`;

/**
 * Something waits to be sent. A message about the lead that is only held has no channel: without a CRM, each lead has
 * one forever. Notices are never given up.
 */
function hasNothingWaiting(db: Queryable): SQL {
  const { leadId, state, template } = deliveries;
  return notExists(
    db
      .select({ one: sql`1` })
      .from(deliveries)
      .where(
        and(
          sql`${leadId} = ${leads.id}`,
          or(sql`${state} = 'queued'`, and(sql`${state} = 'held'`, ne(template, 'lead'))),
        ),
      ),
  );
}

/**
 * Deletes a batch of the leads that arrived before a time and that nobody deleted, if nothing waits to be sent and they
 * don't wait for the rate limit. Any number of processes may call it. Returns how many leads it purged.
 */
export function purgeOldLeads(db: Queryable, before: Date): Promise<number> {
  const condition = and(allows('expire'), lt(leads.createdAt, before), isNotOverLimit, hasNothingWaiting(db));
  return purgeLeads(db, { condition, order: byArrival });
}

/** The same for quarantined leads only. */
export function purgeJunkLeads(db: Queryable, before: Date): Promise<number> {
  const condition = and(
    allows('expire'),
    isNotNull(leads.quarantinedAt),
    lt(leads.createdAt, before),
    isNotOverLimit,
    hasNothingWaiting(db),
  );
  return purgeLeads(db, { condition, order: byArrival });
}

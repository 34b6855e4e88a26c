import { and, asc, inArray, isNotNull, lt, lte, type SQL, sql } from 'drizzle-orm';
import { dayMs } from '#shared/formats/time.ts';
import type { Queryable } from '#server/db/connect.ts';
import { leads } from '#server/db/schema/index.ts';
import { forgetKeys } from '../../submissions/idempotency.ts';
import { allows } from '../leadStates.ts';

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
 * idempotency keys. Records no event: staff's deletions were recorded before, and an expiry of many leads would keep
 * integrators from news about others. Evidence of consent stays. Returns how many.
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
    // Their repeats lose their link to them by the foreign key, which counts as a change.
    await tx
      .update(leads)
      .set({ updatedAt: sql`now()` })
      .where(inArray(leads.duplicateOf, ids));
    // The condition again: before the leads were locked, a delivery may have been added to one of them.
    const purged = await tx
      .delete(leads)
      .where(and(inArray(leads.id, ids), condition))
      .returning({ id: leads.id });
    const purgedIds = purged.map(({ id }) => id);
    if (purgedIds.length > 0) await forgetKeys(tx, purgedIds);
    return purgedIds.length;
  });
}

/** Purges a batch of leads deleted 30 days ago, not tombstones. Safe in any number of processes. Returns how many. */
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
const isWaiting = sql`exists (
  select from deliveries where lead_id = ${leads.id} and (state = 'queued' or (state = 'held' and template <> 'lead')))`;

/** Staff have something to decide about it. */
const hasOpenTask = sql`exists (select from staff_tasks where lead_id = ${leads.id} and done_at is null)`;

/** Staff who undo a deletion want to keep the lead for now. Only the audit log knows. */
const wasRestored = sql`exists (
  select from audit_log where action = 'lead.undo' and subject_kind = 'lead' and subject_id = ${leads.id}::text
    and at > now() - make_interval(days => ${undoDays}))`;

function expireLeads(db: Queryable, condition: SQL | undefined): Promise<number> {
  return purgeLeads(db, {
    condition: and(
      allows('expire'),
      condition,
      isNotOverLimit,
      sql`not (${isWaiting} or ${hasOpenTask} or ${wasRestored})`,
    ),
    order: byArrival,
  });
}

/**
 * Deletes a batch of the leads that arrived before a time and that nobody deleted, if nothing waits to be sent, staff
 * have no task about them and restored none in the last thirty days, and they don't wait for the rate limit. Any number
 * of processes may call it. Returns how many leads it purged.
 */
export function purgeOldLeads(db: Queryable, before: Date): Promise<number> {
  return expireLeads(db, lt(leads.createdAt, before));
}

/** The same for quarantined leads only. */
export function purgeJunkLeads(db: Queryable, before: Date): Promise<number> {
  return expireLeads(db, and(isNotNull(leads.quarantinedAt), lt(leads.createdAt, before)));
}

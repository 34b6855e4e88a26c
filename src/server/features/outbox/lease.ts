import { and, eq, isNull, lte, ne, or, type SQL, sql } from 'drizzle-orm';
import { suppressedReason } from '#shared/leads/suppression.ts';
import type { Database, Queryable } from '#server/db/connect.ts';
import { deliveries, leads } from '#server/db/schema/index.ts';
import type { NextState } from './backoff.ts';
import { clearFailureFlags } from './leadStatus.ts';

/** An attempt ends within this time, whatever the recipient does. */
export const attemptLimitSeconds = 15;
/** An attempt that isn't recorded by then never will be: its process died. */
const leaseMs = (attemptLimitSeconds + 10) * 1000;

/** One attempt's exclusive hold on a delivery. */
export interface Lease {
  id: string;
  queue: string;
  leasedUntil: Date;
  /** When it was delivered, if staff request it again: without an attempt it is delivered as before. */
  deliveredAt: Date | null;
}

export function leaseEnd(now: Date): Date {
  return new Date(now.getTime() + leaseMs);
}

/** Queues with due deliveries: one index lookup for each queue that has any. */
export async function listDueQueues(db: Queryable, now: Date): Promise<string[]> {
  const rows = await db.execute<{ queue: string }>(sql`
    with recursive queues as (
      (select queue from deliveries where state = 'queued' order by queue limit 1)
      union all
      select (select d.queue from deliveries d where d.state = 'queued' and d.queue > queues.queue order by d.queue limit 1)
      from queues where queues.queue is not null
    )
    select queue from queues where exists (
      select from deliveries d where d.queue = queues.queue and d.state = 'queued' and d.next_attempt_at <= ${now.toISOString()}::timestamptz)`);
  return rows.map(({ queue }) => queue);
}

/**
 * Leases due deliveries in one statement, the longest due first: of each queue as many as it has free slots. Rows that another worker is leasing are
 * skipped. A worker that dies leaves them due again when the lease ends.
 */
export function leaseDue(
  db: Database,
  { slots, now }: { slots: ReadonlyMap<string, number>; now: Date },
): Promise<Lease[]> {
  const list = sql.join(
    [...slots].map(([queue, free]) => sql`(${queue}::text, ${free}::int)`),
    sql`, `,
  );
  return leaseSelected(
    db,
    sql`select due.id from (values ${list}) as slots (queue, free) cross join lateral (
      select id from deliveries
      where queue = slots.queue and state = 'queued' and next_attempt_at <= ${now.toISOString()}::timestamptz
      order by next_attempt_at limit slots.free for update skip locked) as due`,
    now,
  );
}

/** Leases the deliveries that a query selects and locks. */
export async function leaseSelected(db: Database, selected: SQL, now: Date): Promise<Lease[]> {
  const leasedUntil = leaseEnd(now);
  const until = leasedUntil.toISOString();
  const rows = await db.execute<{ id: string; queue: string }>(sql`
    with due as materialized (${selected}), interrupted as (
      ${insertInterrupted(sql`(select id from due)`, now)}
    )
    update deliveries set leased_until = ${until}::timestamptz, next_attempt_at = ${until}::timestamptz, attempts = attempts + 1
    where id in (select id from due) returning id, queue`);
  return rows.map(({ id, queue }) => ({ id, queue, leasedUntil, deliveredAt: null }));
}

/** Records attempts whose lease ended without a record: their worker died. */
function insertInterrupted(ids: SQL, now: Date): SQL {
  return sql`insert into delivery_attempts (delivery_id, lead_id, channel, at, duration_ms, outcome, answer)
    select id, lead_id, channel, ${now.toISOString()}::timestamptz, 0, 'failed', 'The process that made this try ended in the middle of it.'
    from deliveries where id in ${ids} and leased_until is not null`;
}

/**
 * Leases a delivery for an attempt that staff request, due or not; one that was finished starts a new round. Null while another attempt is in
 * progress, and for a delivery that was cancelled for anything but a suppression, which may have been lifted since.
 */
export function leaseForRetry(db: Database, id: string, now: Date): Promise<Lease | null> {
  return db.transaction(async (tx) => {
    const [found] = await tx
      .select({ leadId: deliveries.leadId })
      .from(deliveries)
      .where(eq(deliveries.id, id));
    // The lead before the delivery, as everywhere.
    if (found?.leadId != null)
      await tx.select({ id: leads.id }).from(leads).where(eq(leads.id, found.leadId)).for('no key update');
    const [row] = await tx
      .select()
      .from(deliveries)
      .where(
        and(
          eq(deliveries.id, id),
          or(ne(deliveries.state, 'cancelled'), eq(deliveries.reason, suppressedReason)),
          or(isNull(deliveries.leasedUntil), lte(deliveries.leasedUntil, now)),
        ),
      )
      .for('update', { skipLocked: true });
    if (row === undefined) return null;
    const leasedUntil = leaseEnd(now);
    if (row.leasedUntil !== null) await tx.execute(insertInterrupted(sql`(${id}::uuid)`, now));
    await tx
      .update(deliveries)
      .set({
        state: 'queued',
        leasedUntil,
        nextAttemptAt: leasedUntil,
        finishedAt: null,
        attempts: row.attempts + 1,
        ...(row.state === 'queued' ? {} : { attemptsBeforeRound: row.attempts }),
      })
      .where(eq(deliveries.id, id));
    if (row.state === 'failed' && row.leadId !== null) await clearFailureFlags(tx, [row.leadId]);
    const deliveredAt = row.state === 'delivered' ? row.finishedAt : null;
    return { id, queue: row.queue, leasedUntil, deliveredAt };
  });
}

/** Releases a lease without an attempt, with the state that follows; what was delivered before is delivered. */
export async function releaseLease(
  db: Queryable,
  { id, leasedUntil, deliveredAt }: Omit<Lease, 'queue'>,
  next: NextState,
): Promise<void> {
  const delivered = {
    state: 'delivered',
    nextAttemptAt: null,
    reason: null,
    finishedAt: deliveredAt,
  } as const;
  const unattempted = { leasedUntil: null, attempts: sql`${deliveries.attempts} - 1` };
  const isOurs = and(eq(deliveries.id, id), eq(deliveries.leasedUntil, leasedUntil));
  const released = await db
    .update(deliveries)
    .set({ ...(deliveredAt === null ? next : delivered), ...unattempted })
    .where(and(isOurs, eq(deliveries.state, 'queued')))
    .returning({ id: deliveries.id });
  // Cancelled in the meantime, it stays so.
  if (released.length === 0) await db.update(deliveries).set(unattempted).where(isOurs);
}

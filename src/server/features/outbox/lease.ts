import { randomUUID } from 'node:crypto';
import { and, eq, isNull, lte, ne, or, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { leadChannels, type DeliveryChannel, deliveryChannels } from '#shared/admin/deliveries.ts';
import { suppressedReason } from '#shared/leads/suppression.ts';
import type { Database, Queryable } from '#server/db/connect.ts';
import { readRows } from '#server/db/readRows.ts';
import { deliveries, type DeliveryRow, leads } from '#server/db/schema/index.ts';
import { changeDeliveries, type DeliveryChange } from './deliveryStates.ts';
import { enqueueDeliveries } from './enqueueDeliveries.ts';
import { clearFailureFlags, flagFailedDeliveries, lockLeads } from './leadStatus.ts';

/** An attempt ends within this time, even if the recipient never answers. */
export const attemptLimitSeconds = 15;
/** After this time an attempt without a record counts as lost: its process died. */
const leaseMs = (attemptLimitSeconds + 10) * 1000;

/** The exclusive right to make one attempt of a delivery. */
export interface Lease {
  id: string;
  queue: string;
  leasedUntil: Date;
  /** For a resend of a delivered message: when it was delivered. The row gets this back if no attempt is made. */
  deliveredAt: Date | null;
}

export function leaseEnd(now: Date): Date {
  return new Date(now.getTime() + leaseMs);
}

/** The names of the queues that have queued deliveries, then null: one index lookup for each of them. */
const queuesWithRows = sql`recursive queues as (
      (select queue from deliveries where state = 'queued' order by queue limit 1)
      union all
      select (select next.queue from deliveries next
        where next.state = 'queued' and next.queue > queues.queue order by next.queue limit 1)
      from queues where queues.queue is not null
    )`;

const knownChannels: ReadonlySet<string> = new Set(leadChannels);
const guid = z.guid();

/** Whether a queue belongs to an endpoint, whose id is its name. */
export function isEndpointQueue(queue: string): boolean {
  return guid.safeParse(queue).success;
}

/** Whether a queue belongs to an endpoint or to a channel of this version. */
function isKnown(queue: string): boolean {
  return knownChannels.has(queue) || isEndpointQueue(queue);
}

const dueQueue = z.object({ queue: z.string() });

/**
 * Queues with due deliveries, by one more index lookup each. Omits channels of a later version, which wait for its
 * workers during an upgrade, and those that are paused until a later time (refused/channelRefusals.ts).
 */
export async function listDueQueues(db: Queryable, now: Date): Promise<string[]> {
  const at = now.toISOString();
  const rows = await readRows(db, dueQueue)`
    with ${queuesWithRows}
    select queue from queues where exists (
      select from deliveries due
      where due.queue = queues.queue and due.state = 'queued' and due.next_attempt_at <= ${at}::timestamptz)
      and not exists (
        select from channel_refusals paused
        where paused.channel = queues.queue and paused.next_probe_at > ${at}::timestamptz)`;
  return rows.map(({ queue }) => queue).filter(isKnown);
}

/**
 * Leases due deliveries in one statement, the longest due first: of each queue as many as it has free slots. Skips
 * locked rows. The rows of a worker that dies are due again when the lease ends.
 */
export function leaseDue(
  db: Database,
  { slots, now }: { slots: ReadonlyMap<string, number>; now: Date },
): Promise<Lease[]> {
  const at = now.toISOString();
  const queues = sql.param([...slots.keys()]);
  const free = sql.param([...slots.values()]);
  const due = sql`
    select due.id from unnest(${queues}::text[], ${free}::int[]) as slots (queue, free) cross join lateral (
      select id from deliveries
      where queue = slots.queue and state = 'queued' and next_attempt_at <= ${at}::timestamptz
      order by next_attempt_at limit slots.free for update skip locked) as due`;
  return leaseSelected(db, due, now);
}

const leasedRow = z.object({ id: z.string(), queue: z.string() });

/** Leases the queued deliveries that a query selects and locks. */
export async function leaseSelected(db: Database, selected: SQL, now: Date): Promise<Lease[]> {
  const leasedUntil = leaseEnd(now);
  const until = leasedUntil.toISOString();
  const rows = await readRows(db, leasedRow)`
    with due as materialized (${selected}), interrupted as (
      ${insertInterrupted(sql`any (array(select id from due))`, now)}
    )
    update deliveries
    set leased_until = ${until}::timestamptz, next_attempt_at = ${until}::timestamptz, attempts = attempts + 1
    where id = any (array(select id from due)) and state = 'queued'
    returning id, queue`;
  return rows.map(({ id, queue }) => ({ id, queue, leasedUntil, deliveredAt: null }));
}

/** Records attempts whose lease ended without a record: their worker died. */
function insertInterrupted(ids: SQL, now: Date): SQL {
  const at = now.toISOString();
  return sql`
    insert into delivery_attempts (delivery_id, lead_id, channel, at, duration_ms, outcome, answer)
    select id, lead_id, channel, ${at}::timestamptz, 0, 'failed',
      'The process ended during this attempt.'
    from deliveries where id = ${ids} and leased_until is not null`;
}

/**
 * Leases a delivery for an attempt that staff request, due or not; a finished one starts a new round. Null while
 * another attempt is in progress, and for a cancelled one, except for a suppression, which may have been lifted.
 */
export function leaseForRetry(db: Database, id: string, now: Date): Promise<Lease | null> {
  return db.transaction(async (tx) => {
    const row = await lockIdle(tx, id, now);
    if (row === null) return null;
    const leasedUntil = leaseEnd(now);
    if (row.leasedUntil !== null) await tx.execute(insertInterrupted(sql`${id}::uuid`, now));
    await changeDeliveries(tx, eq(deliveries.id, id), {
      ...{ state: 'queued', nextAttemptAt: leasedUntil, reason: row.reason },
      set: {
        leasedUntil,
        attempts: row.attempts + 1,
        ignoresUnreachable: true,
        ...(row.state !== 'queued' && { attemptsBeforeRound: row.attempts }),
      },
    });
    if (['failed', 'held'].includes(row.state) && row.leadId !== null)
      await clearFailureFlags(tx, [row.leadId]);
    const deliveredAt = row.state === 'delivered' ? row.finishedAt : null;
    return { id, queue: row.queue, leasedUntil, deliveredAt };
  });
}

/** Locks a delivery that staff may retry, after its lead, as everywhere. */
async function lockIdle(tx: Queryable, id: string, now: Date): Promise<DeliveryRow | null> {
  const isRequested = eq(deliveries.id, id);
  const [found] = await tx.select({ leadId: deliveries.leadId }).from(deliveries).where(isRequested);
  if (found === undefined) return null;
  if (found.leadId !== null) await lockLeads(tx, eq(leads.id, found.leadId));
  const mayRetry = or(ne(deliveries.state, 'cancelled'), eq(deliveries.reason, suppressedReason));
  const isIdle = or(isNull(deliveries.leasedUntil), lte(deliveries.leasedUntil, now));
  const [row] = await tx
    .select()
    .from(deliveries)
    .where(and(isRequested, mayRetry, isIdle))
    .for('update', { skipLocked: true });
  return row ?? null;
}

/** Enqueues a webhook with a lease, so that no worker attempts it: the caller does. */
export async function enqueueLeased(
  tx: Queryable,
  { eventId, endpointId, now }: { eventId: string; endpointId: string; now: Date },
): Promise<Lease> {
  const id = randomUUID();
  const leasedUntil = leaseEnd(now);
  await enqueueDeliveries(tx, [
    {
      ...{ id, channel: 'webhook', template: 'event', eventId, endpointId },
      ...{ attempts: 1, leasedUntil, nextAttemptAt: leasedUntil, createdAt: now },
    },
  ]);
  return { id, queue: endpointId, leasedUntil, deliveredAt: null };
}

type OwnLease = Omit<Lease, 'queue'>;

/** The columns of a lease that ends without an attempt. */
const unattempted = { leasedUntil: null, attempts: sql`${deliveries.attempts} - 1` };

function isLeasedBy({ id, leasedUntil }: OwnLease): SQL | undefined {
  return and(eq(deliveries.id, id), eq(deliveries.leasedUntil, leasedUntil));
}

/** Releases a lease without an attempt: to the next state, or `delivered` for one that staff wanted to resend. */
export async function releaseLease(db: Queryable, lease: OwnLease, next: DeliveryChange): Promise<void> {
  const { deliveredAt } = lease;
  const change: DeliveryChange =
    deliveredAt === null ? next : { state: 'delivered', finishedAt: deliveredAt };
  const isOwn = and(isLeasedBy(lease), eq(deliveries.state, 'queued'));
  const released = await changeDeliveries(db, isOwn, { ...change, set: unattempted });
  if (released.length === 0) await releaseCancelled(db, lease);
  const leadIds = released.flatMap(({ leadId }) => leadId ?? []);
  if (change.state === 'held' && change.holdCause !== undefined) await flagFailedDeliveries(db, leadIds);
  else if (change.state !== 'queued') await clearFailureFlags(db, leadIds);
}

/** Releases the lease of a delivery that was cancelled since it was leased: it stays cancelled. */
export async function releaseCancelled(db: Queryable, lease: OwnLease): Promise<void> {
  await db.update(deliveries).set(unattempted).where(isLeasedBy(lease));
}

/** A queue is counted up to this: a larger number says nothing more, and counting would take long. */
export const backlogMax = 10_000;

export interface ChannelBacklog {
  channel: DeliveryChannel;
  /** Of each queue and state `backlogMax` at most. */
  queued: number;
  /** Without those that a refusal holds, which alerts report. */
  held: number;
  /** How long its oldest due delivery has been due; 0: none is. */
  oldestDueSeconds: number;
}

/** The waiting deliveries of every channel, from indexes that contain only these. `now` is the database's time. */
export async function readDeliveryBacklog(db: Queryable, now: Date): Promise<ChannelBacklog[]> {
  const at = now.toISOString();
  const queue = z.object({ queue: z.string(), queued: z.number(), due: z.number() });
  const queues = await readRows(db, queue)`
    with ${queuesWithRows}
    select queues.queue,
      (select count(*)::int from (
        select from deliveries where queue = queues.queue and state = 'queued' limit ${backlogMax}) as counted) as queued,
      coalesce((select extract(epoch from ${at}::timestamptz - min(next_attempt_at))::float8 from deliveries
        where queue = queues.queue and state = 'queued' and next_attempt_at <= ${at}::timestamptz), 0) as due
    from queues where queues.queue is not null`;
  const names = sql.param([...deliveryChannels]);
  const held = await readRows(db, z.object({ channel: z.string(), held: z.number() }))`
    select channel, (select count(*)::int from (
      select from deliveries where channel = names.channel and state = 'held' and hold_cause is null limit ${backlogMax}) as counted) as held
    from unnest(${names}::text[]) as names (channel)`;
  return deliveryChannels.map((channel) => {
    const own = queues.filter(({ queue: name }) =>
      channel === 'webhook' ? isEndpointQueue(name) : name === channel,
    );
    return {
      channel,
      queued: own.reduce((sum, { queued }) => sum + queued, 0),
      held: held.find((row) => row.channel === channel)?.held ?? 0,
      oldestDueSeconds: Math.max(0, ...own.map(({ due }) => due)),
    };
  });
}

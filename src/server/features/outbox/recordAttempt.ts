import { asc, eq, sql } from 'drizzle-orm';
import type { Database, Queryable } from '#server/db/connect.ts';
import { insertRows } from '#server/db/insertRows.ts';
import { setLockTimeout } from '#server/db/readRows.ts';
import { sendTogether, withPreparedStatements } from '#server/db/preparedStatements.ts';
import { deliverySeconds } from '#server/metrics.ts';
import {
  type ChannelRefusalRow,
  deliveries,
  type DeliveryRow,
  deliveryAttempts,
  type LeadRow,
  leads,
  type WebhookEndpointRow,
  webhookEndpoints,
} from '#server/db/schema/index.ts';
import { type AttemptedChange, changeAttempted } from './deliveryStates.ts';
import { type ChannelResult, judgeChannels, listChannelRefusals } from './refused/channelRefusals.ts';
import { type AttemptEnd, recordArrival, recordHold } from './refused/holds.ts';
import { flagFailedDeliveries, updateCrmStatus } from './leadStatus.ts';
import type { Lease } from './lease.ts';
import { redact } from './redact.ts';
import type { Channels, AttemptLead } from './types.ts';
import { isDatabaseAway } from '#server/errors.ts';

export interface RecordedAttempt extends AttemptEnd {
  lease: Lease;
  durationMs: number;
  /** By us: it doesn't count as an attempt of the round. */
  isInterrupted: boolean;
  /** The channel's effects. `failuresBefore`: see `EndedAttempt`. */
  afterAttempt: (tx: Queryable, failuresBefore: number) => Promise<void>;
  onLeadFailure: Channels['onLeadFailure'];
}

/**
 * Records attempts in one transaction: each attempt, the next state of its delivery, and the effects on the lead or the
 * endpoint. A lease that has ended changes nothing but the list of attempts. A delivery that was cancelled during the
 * attempt stays cancelled, but stores the recipient's name for it: an erasure needs it. After the person is erased, no
 * answer is stored. Throws if one of them can't be recorded, or after waiting `lockWaitMs` for a lock; then none is.
 */
export async function recordAttempts(
  db: Database,
  attempts: readonly RecordedAttempt[],
  { lockWaitMs }: { lockWaitMs?: number } = {},
): Promise<void> {
  await withPreparedStatements(db).transaction(async (tx) => {
    // Sent together and run in this order: one round trip.
    const [, rows] = await Promise.all([
      lockWaitMs === undefined ? null : setLockTimeout(tx, lockWaitMs),
      lockRows(tx, attempts),
    ]);
    const { recorded, endpoints, refusals } = rows;
    const crmLeads = recorded.flatMap(({ attempt: { subject }, isQueued }) =>
      isQueued && subject.delivery.channel === 'crm' && subject.delivery.leadId !== null
        ? [subject.delivery.leadId]
        : [],
    );
    // Sent together and run in this order: one round trip.
    await sendTogether([
      insertAttempts(tx, recorded),
      changeAttempted(tx, listChanges(recorded)),
      ...recorded.filter(({ isOurs, isQueued }) => isOurs && !isQueued).map((locked) => endLease(tx, locked)),
      updateCrmStatus(tx, crmLeads),
    ]);
    const failures = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint.failures]));
    for (const { attempt, lead, isQueued } of recorded) {
      if (isQueued && attempt.next.state === 'failed') await recordFailure(tx, attempt, lead);
      // A hold by a refusal counts for the lead's flags, and any state after it ends that.
      else if (isQueued && lead !== undefined && (attempt.next.state === 'held' || lead.clinicNotReached))
        await flagFailedDeliveries(tx, [lead.id]);
      if (isQueued && attempt.next.state === 'held') await recordHold(tx, attempt);
      if (isQueued && attempt.next.state === 'delivered') await recordArrival(tx, attempt);
      if (attempt.isInterrupted) continue;
      const endpointId = attempt.subject.delivery.endpointId ?? '';
      const failuresBefore = failures.get(endpointId) ?? 0;
      await attempt.afterAttempt(tx, failuresBefore);
      failures.set(endpointId, attempt.result.outcome === 'delivered' ? 0 : failuresBefore + 1);
    }
    const [first] = attempts;
    const results = channelResults(recorded);
    if (first !== undefined && results.length > 0)
      await judgeChannels(tx, results, { known: refusals, now: first.now });
  });
  for (const { subject, result, durationMs } of attempts)
    deliverySeconds.observe(
      { channel: subject.delivery.channel, outcome: result.outcome },
      durationMs / 1000,
    );
}

type RecordedLead = AttemptLead & Pick<LeadRow, 'erasedAt' | 'clinicNotReached'>;

/** An attempt whose rows are locked. */
interface LockedAttempt {
  attempt: RecordedAttempt;
  /** Undefined: purged, or an event that is about no lead. */
  lead: RecordedLead | undefined;
  /** The lease has not ended. */
  isOurs: boolean;
  /** The delivery was not cancelled during the attempt either. */
  isQueued: boolean;
}

const getLeadId = ({ subject }: RecordedAttempt): number | null =>
  subject.kind === 'lead' ? subject.lead.id : subject.event.leadId;

/** Locks leads, endpoints and deliveries in this order, each by ascending id, as everywhere. Omits purged ones. */
async function lockRows(
  tx: Queryable,
  attempts: readonly RecordedAttempt[],
): Promise<{ recorded: LockedAttempt[]; endpoints: LockedEndpoint[]; refusals: ChannelRefusalRow[] }> {
  const leadIds = attempts.flatMap((attempt) => getLeadId(attempt) ?? []);
  // Sent together and run in this order: one round trip.
  const [lockedLeads, endpoints, lockedDeliveries, refusals] = await Promise.all([
    leadIds.length === 0 ? [] : lockLeads(tx, leadIds),
    lockEndpoints(tx, attempts),
    lockDeliveries(
      tx,
      attempts.map(({ lease }) => lease.id),
    ),
    listChannelRefusals(tx),
  ]);
  const leadsById = new Map(lockedLeads.map((lead) => [lead.id, lead]));
  const deliveriesById = new Map(lockedDeliveries.map((delivery) => [delivery.id, delivery]));
  const recorded = attempts.flatMap((attempt) => {
    const { lease, subject } = attempt;
    const lead = leadsById.get(getLeadId(attempt) ?? 0);
    const delivery = deliveriesById.get(lease.id);
    if (delivery === undefined || (subject.kind === 'lead' && lead === undefined)) return [];
    const isOurs = delivery.leasedUntil?.getTime() === lease.leasedUntil.getTime();
    return [{ attempt, lead, isOurs, isQueued: isOurs && delivery.state === 'queued' }];
  });
  return { recorded, endpoints, refusals };
}

function lockLeads(tx: Queryable, ids: readonly number[]): Promise<RecordedLead[]> {
  const { id, providerId, quarantinedAt, erasedAt, clinicNotReached } = leads;
  return tx
    .select({ id, providerId, quarantinedAt, erasedAt, clinicNotReached })
    .from(leads)
    .where(sql`${id} = any (${sql.param([...ids])}::bigint[])`)
    .orderBy(asc(id))
    .for('no key update');
}

type LockedEndpoint = Pick<WebhookEndpointRow, 'id' | 'failures'>;

/** Locks only endpoints whose count of failures will change, so that other successful attempts needn't wait. */
async function lockEndpoints(tx: Queryable, attempts: readonly RecordedAttempt[]): Promise<LockedEndpoint[]> {
  const endpointIds = (of: readonly RecordedAttempt[]): string[] =>
    of.flatMap(({ subject }) => subject.delivery.endpointId ?? []);
  const all = endpointIds(attempts);
  if (all.length === 0) return [];
  const failed = endpointIds(attempts.filter(({ result }) => result.outcome === 'failed'));
  const { id, failures } = webhookEndpoints;
  return tx
    .select({ id, failures })
    .from(webhookEndpoints)
    .where(
      sql`${id} = any (${sql.param(all)}::uuid[]) and (${failures} > 0 or ${id} = any (${sql.param(failed)}::uuid[]))`,
    )
    .orderBy(asc(id))
    .for('no key update');
}

function lockDeliveries(
  tx: Queryable,
  ids: readonly string[],
): Promise<Pick<DeliveryRow, 'id' | 'state' | 'leasedUntil'>[]> {
  const { id, state, leasedUntil } = deliveries;
  return tx
    .select({ id, state, leasedUntil })
    .from(deliveries)
    .where(sql`${id} = any (${sql.param([...ids])}::uuid[])`)
    .orderBy(asc(id))
    .for('update');
}

/** Without a lead: only what looks like contact details is removed. */
const nobody = { firstName: '', lastName: '', email: '', phone: '' };

async function insertAttempts(tx: Queryable, recorded: readonly LockedAttempt[]): Promise<void> {
  if (recorded.length === 0) return;
  const rows = recorded.map(({ attempt: { subject, result, durationMs, now }, lead }) => {
    const { id, leadId, channel } = subject.delivery;
    const person = subject.kind === 'lead' ? subject.lead : nobody;
    const mayStoreAnswer = lead === undefined || lead.erasedAt === null;
    return {
      ...{ deliveryId: id, leadId, channel, at: now },
      durationMs: Math.round(durationMs),
      outcome: result.outcome,
      status: result.status,
      reason: result.outcome === 'failed' ? result.reason : null,
      refusal: result.outcome === 'failed' ? (result.ownRefusal ?? result.refusal) : null,
      address:
        subject.kind === 'lead' && channel === 'provider-email' ? (subject.provider?.email ?? null) : null,
      answer: mayStoreAnswer && result.answer !== null ? redact(result.answer, person) : null,
    };
  });
  await tx.execute(insertRows(deliveryAttempts, rows));
}

const getRemoteId = ({ result }: RecordedAttempt): string | null =>
  result.outcome === 'delivered' ? (result.remoteId ?? null) : null;

/** What follows for deliveries that were not cancelled during their attempts. */
function listChanges(recorded: readonly LockedAttempt[]): AttemptedChange[] {
  return recorded.flatMap(({ attempt, isQueued }) => {
    const { lease, next, isInterrupted } = attempt;
    return isQueued ? [{ id: lease.id, next, isInterrupted, remoteId: getRemoteId(attempt) }] : [];
  });
}

/** Ends the lease of a delivery that was cancelled during the attempt. */
async function endLease(tx: Queryable, { attempt }: LockedAttempt): Promise<void> {
  const remoteId = getRemoteId(attempt);
  await tx
    .update(deliveries)
    .set({
      leasedUntil: null,
      ...(remoteId === null ? {} : { remoteId }),
      ...(attempt.isInterrupted ? { attemptsBeforeRound: sql`${deliveries.attemptsBeforeRound} + 1` } : {}),
    })
    .where(eq(deliveries.id, attempt.lease.id));
}

/** What the attempts say about the channels of leads. One that we interrupted says nothing. */
function channelResults(recorded: readonly LockedAttempt[]): ChannelResult[] {
  return recorded.flatMap(({ attempt: { subject, result, isInterrupted } }) => {
    const { channel } = subject.delivery;
    return channel === 'webhook' || isInterrupted ? [] : [{ channel, result }];
  });
}

/** A delivery about a lead failed for good: staff see it, integrators get an event. A failed webhook causes none. */
async function recordFailure(
  tx: Queryable,
  { subject, onLeadFailure }: RecordedAttempt,
  lead: AttemptLead | undefined,
): Promise<void> {
  if (subject.kind !== 'lead' || lead === undefined) return;
  await onLeadFailure(tx, lead, subject.delivery);
  await flagFailedDeliveries(tx, [lead.id]);
}

/** A transaction for several attempts waits this long for a lock. */
const lockWaitMs = 500;

interface Waiting {
  attempt: RecordedAttempt;
  result: PromiseWithResolvers<void>;
}

/**
 * Records the attempts of a worker, in one transaction at a time: attempts that end while it runs wait, and are recorded
 * together by the next one. Two transactions at a time would make the batches smaller and an attempt more expensive. If
 * a transaction fails or waits too long for a lock, its attempts are recorded one by one beside the next batches, so
 * that each gets its own error and none holds up the others.
 */
export function createAttemptRecorder(db: Database): (attempt: RecordedAttempt) => Promise<void> {
  let waiting: Waiting[] = [];
  let isRunning = false;

  async function recordOne({ attempt, result }: Waiting): Promise<void> {
    try {
      await recordAttempts(db, [attempt]);
      result.resolve();
    } catch (error) {
      result.reject(error);
    }
  }

  async function recordAll(batch: readonly Waiting[]): Promise<void> {
    try {
      const attempts = batch.map(({ attempt }) => attempt);
      await recordAttempts(db, attempts, { lockWaitMs });
      for (const { result } of batch) result.resolve();
    } catch (error) {
      // Without a database, each single attempt would only fail later.
      if (isDatabaseAway(error)) for (const { result } of batch) result.reject(error);
      else for (const one of batch) void recordOne(one);
    }
  }

  async function run(): Promise<void> {
    isRunning = true;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      await recordAll(batch);
    }
    isRunning = false;
  }

  return (attempt) => {
    const result = Promise.withResolvers<void>();
    waiting.push({ attempt, result });
    if (!isRunning) void run();
    return result.promise;
  };
}

import type { Queryable, Database } from '#server/db/connect.ts';
import { type DeliveryRow, deliveries } from '#server/db/schema/index.ts';
import { toAppError } from '#server/errors.ts';
import type { Services } from '#server/services.ts';
import { withTrace } from '#server/log.ts';
import { openLeadTasks, openNumberTasks } from '../suppression/staffTasks.ts';
import { changeAfter } from './backoff.ts';
import { contactHistory, obstacleTo, readSubjects, type Subject, waitsForDecision } from './subject.ts';
import { type DeliveryChange, stateColumns } from './deliveryStates.ts';
import { attemptLimitSeconds, type Lease, releaseCancelled, releaseLease, leaseForRetry } from './lease.ts';
import { recordAttempts, type RecordedAttempt } from './recordAttempt.ts';
import { recordUnsent, mailboxReason } from './refused/holds.ts';
import { judgeResult } from './refused/refusalRuns.ts';
import type { DeliveryResult, EndedAttempt } from './types.ts';
import { setTimeout as delay } from 'node:timers/promises';
import { eq } from 'drizzle-orm';

export type DeliveryServices = Pick<Services, 'db' | 'dataKeys' | 'log' | 'now' | 'channels'>;

/** A delivery's state after a lease, and the attempt's result; null: no attempt was made. */
export interface AttemptOutcome extends Pick<DeliveryRow, 'state' | 'reason'> {
  result: DeliveryResult | null;
  durationMs: number;
}

export interface AttemptOptions {
  /** Aborted when the process stops: the attempt is interrupted and its delivery is due again. */
  stopping: AbortSignal;
  /** For one attempt; tests set less. */
  limitMs?: number;
  /** By default, each attempt is recorded by a transaction of its own. */
  record?: (attempt: RecordedAttempt) => Promise<void>;
}

/**
 * Reads what leased deliveries are about, and calls `attempt` for each as soon as all are read. Cancels deliveries
 * whose lead or event was deleted. Opens staff tasks for leads that a number is left out of, or that wait for a
 * decision. Throws if the rows can't be read.
 */
export async function startAttempts(
  { db, dataKeys, now }: DeliveryServices,
  leases: readonly Lease[],
  attempt: (lease: Lease, subject: Subject) => void,
): Promise<void> {
  const { key } = await dataKeys.current('identity');
  const subjects = await readSubjects(db, leases, { identityKey: key, now: now() });
  const incomplete = subjects.flatMap((subject) =>
    subject.kind === 'lead' && subject.leftOut.length > 0 ? [subject.lead.id] : [],
  );
  await openNumberTasks(db, incomplete, { now: now() });
  const undecided = subjects.flatMap((subject) =>
    subject.kind === 'lead' && waitsForDecision(subject) ? [subject.lead.id] : [],
  );
  await openLeadTasks(db, { kind: 'mailbox-withdrawn', leadIds: undecided, now: now() });
  const byId = new Map(subjects.map((subject) => [subject.delivery.id, subject]));
  for (const lease of leases) {
    const subject = byId.get(lease.id);
    if (subject === undefined) {
      const reason = 'Its lead or event was deleted.';
      await releaseLease(db, lease, { state: 'cancelled', reason, finishedAt: now() });
    } else attempt(lease, subject);
  }
}

/** Makes the one attempt of a lease, if it is allowed now, and records the result, in its own or the staff's trace. */
export function attemptDelivery(
  services: DeliveryServices,
  leased: { lease: Lease; subject: Subject },
  options: AttemptOptions,
): Promise<AttemptOutcome> {
  return withTrace(() => attemptOnce(services, leased, options));
}

async function attemptOnce(
  services: DeliveryServices,
  { lease, subject }: { lease: Lease; subject: Subject },
  options: AttemptOptions,
): Promise<AttemptOutcome> {
  const { db, log } = services;
  const { id: deliveryId, channel, state, reason } = subject.delivery;
  if (state !== 'queued') {
    await releaseCancelled(db, lease);
    return { state, reason, result: null, durationMs: 0 };
  }
  const refusal = catchRefusal(services, subject);
  if (refusal !== null) {
    await releaseLease(db, lease, refusal);
    return { state: refusal.state, reason: refusal.reason, result: null, durationMs: 0 };
  }
  const startedAt = performance.now();
  const prepared = prepareAttempt(services, subject);
  const made = await withLimit(services, prepared, options);
  const result = await judgeResult(db, subject, { result: made, now: services.now() });
  const durationMs = performance.now() - startedAt;
  const { outcome } = result;
  const status = 'status' in result ? result.status : null;
  const ms = Math.round(durationMs);
  log.info({ event: 'delivery.attempted', deliveryId, channel, outcome, status, ms }, 'delivery attempt');
  const { record = (attempt) => recordAttempts(services.db, [attempt]) } = options;
  const isInterrupted = options.stopping.aborted && result.outcome === 'failed';
  const { afterAttempt } = prepared;
  return finishAttempt(services, { record, lease, subject, result, afterAttempt, durationMs, isInterrupted });
}

/** Cancels what must not be delivered and holds what has no channel; null: the attempt may be made. */
function catchRefusal(
  { channels, now }: DeliveryServices,
  subject: Subject,
): Extract<DeliveryChange, { state: 'held' | 'cancelled' | 'failed' }> | null {
  const obstacle = obstacleTo(subject);
  if (obstacle !== null) return { state: 'cancelled', reason: obstacle, finishedAt: now() };
  if (waitsForDecision(subject)) return { state: 'held', reason: mailboxReason, holdCause: 'mailbox' };
  const reason = channels[subject.delivery.channel].heldReason();
  return reason === null ? null : { state: 'held', reason };
}

/** An attempt, ready to be made by its channel. */
interface PreparedAttempt {
  delivery: DeliveryRow;
  deliver: (signal: AbortSignal) => Promise<DeliveryResult>;
  /** The channel's effects, in the transaction that records the attempt. */
  afterAttempt: (tx: Queryable, ended: Omit<EndedAttempt<unknown>, 'input'>) => Promise<void>;
}

function prepareAttempt({ channels, db, now }: DeliveryServices, subject: Subject): PreparedAttempt {
  const { delivery } = subject;
  const at = now();
  if (subject.kind === 'event') {
    const { event, endpoint } = subject;
    if (endpoint === null) throw new Error('an endpoint that was removed gets no attempt');
    const input = { delivery, event, endpoint, now: at };
    const { webhook } = channels;
    return {
      delivery,
      deliver: (signal) => webhook.deliver({ ...input, signal }),
      afterAttempt: async (tx, ended) => webhook.afterAttempt?.(tx, { input, ...ended }),
    };
  }
  if (delivery.channel === 'webhook') throw new Error('a webhook is about an event');
  const { lead } = subject;
  const contacts = contactHistory(db, { lead, leasedUntil: delivery.leasedUntil, now: at });
  const input = { ...subject, contacts, now: at };
  const channel = channels[delivery.channel];
  return {
    delivery,
    deliver: (signal) => channel.deliver({ ...input, signal }),
    afterAttempt: async (tx, ended) => channel.afterAttempt?.(tx, { input, ...ended }),
  };
}

/** A failure of our database uses up no attempt. Receivers recognize a message that was sent nevertheless by its id. */
const databaseLost: DeliveryResult = {
  outcome: 'postponed',
  reason: 'The database was unavailable during the attempt.',
  retryAfterSeconds: 5,
};

/** Makes one attempt. It ends when its time is over, even if the channel ignores the signal. */
async function withLimit(
  { log }: DeliveryServices,
  { deliver, delivery }: PreparedAttempt,
  { stopping, limitMs = attemptLimitSeconds * 1000 }: AttemptOptions,
): Promise<DeliveryResult> {
  const limit = AbortSignal.timeout(limitMs);
  const signal = AbortSignal.any([limit, stopping]);
  const over = Promise.withResolvers<never>();
  const end = (): void => over.reject(signal.reason);
  signal.addEventListener('abort', end);
  try {
    return await Promise.race([deliver(signal), over.promise]);
  } catch (error) {
    const failed = { outcome: 'failed', refusal: 'later', status: null, answer: null } as const;
    if (limit.aborted)
      return { ...failed, isTimeout: true, reason: `There was no answer within ${limitMs / 1000} seconds.` };
    if (stopping.aborted)
      return { ...failed, reason: 'The attempt was interrupted because the worker stopped.' };
    if (toAppError(error).code === 'SERVICE_UNAVAILABLE') return databaseLost;
    log.error(
      { event: 'delivery.threw', err: error, deliveryId: delivery.id, channel: delivery.channel },
      'a delivery attempt threw',
    );
    return { ...failed, reason: 'Internal error.' };
  } finally {
    signal.removeEventListener('abort', end);
  }
}

interface MadeAttempt {
  record: (attempt: RecordedAttempt) => Promise<void>;
  lease: Lease;
  subject: Subject;
  result: DeliveryResult;
  afterAttempt: PreparedAttempt['afterAttempt'];
  durationMs: number;
  /** By us: its delivery is due again now, and the attempt doesn't count. */
  isInterrupted: boolean;
}

/** Records an attempt. One that sent nothing only releases the lease. */
async function finishAttempt(
  { db, now, channels }: DeliveryServices,
  { record, lease, subject, result, afterAttempt, durationMs, isInterrupted }: MadeAttempt,
): Promise<AttemptOutcome> {
  const { attempts, attemptsBeforeRound } = subject.delivery;
  const at = now();
  const { channel } = subject.delivery;
  const following = changeAfter(result, { channel, attempts: attempts - attemptsBeforeRound, now: at });
  const { state, reason } = stateColumns(following);
  const next: DeliveryChange = isInterrupted ? { state: 'queued', nextAttemptAt: at, reason } : following;
  if (result.outcome === 'delivered' || result.outcome === 'failed')
    await record({
      ...{ lease, subject, result, next, durationMs, now: at },
      isInterrupted,
      afterAttempt: (tx, failuresBefore) => afterAttempt(tx, { result, now: at, failuresBefore }),
      onLeadFailure: channels.onLeadFailure,
    });
  else await releaseLease(db, lease, next);
  if (result.outcome === 'held') await recordUnsent(db, { delivery: subject.delivery, result, now: at });
  return { state: isInterrupted ? 'queued' : state, reason, result, durationMs };
}

/** The state of a delivery after a retry, with its reason. */
export type RetryOutcome = Pick<DeliveryRow, 'state' | 'reason'>;

/** A web process that stops waits for its responses, so nothing interrupts the attempt. */
const never = new AbortController().signal;
const pollMs = 100;

async function findState(
  db: Database,
  id: string,
): Promise<Pick<DeliveryRow, 'state' | 'reason' | 'leasedUntil'> | null> {
  const { state, reason, leasedUntil } = deliveries;
  const [row] = await db.select({ state, reason, leasedUntil }).from(deliveries).where(eq(deliveries.id, id));
  return row ?? null;
}

const deletedOutcome: RetryOutcome = { state: 'cancelled', reason: 'The lead is gone.' };

/**
 * Makes one attempt of a delivery now, with its usual key and time limit, and returns the outcome. Waits for an attempt
 * in progress, after calling `onWait`, and returns its outcome. A cancelled delivery stays cancelled.
 */
export async function retryNow(
  services: DeliveryServices,
  id: string,
  onWait: () => void = () => {},
): Promise<RetryOutcome> {
  const { db, dataKeys, now } = services;
  for (;;) {
    // Loaded first: without the key, the lease could not be used.
    await dataKeys.current('identity');
    const lease = await leaseForRetry(db, id, now());
    if (lease !== null) {
      const subjects: Subject[] = [];
      await startAttempts(services, [lease], (_, subject) => subjects.push(subject));
      const [subject] = subjects;
      if (subject === undefined) return deletedOutcome;
      return attemptDelivery(services, { lease, subject }, { stopping: never });
    }
    const outcome = await waitForOthers(services, id, onWait);
    if (outcome !== null) return outcome;
  }
}

/** Null if the other lease was released without an attempt: the delivery can be leased now. */
async function waitForOthers(
  { db, now }: DeliveryServices,
  id: string,
  onWait: () => void,
): Promise<RetryOutcome | null> {
  for (let polls = 0; ; polls += 1) {
    const found = await findState(db, id);
    if (found === null) return deletedOutcome;
    const { state, reason, leasedUntil } = found;
    if (leasedUntil === null) return { state, reason };
    if (leasedUntil <= now()) return null;
    if (polls === 0) onWait();
    await delay(pollMs);
  }
}

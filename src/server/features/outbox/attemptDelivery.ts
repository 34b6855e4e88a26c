import type { Queryable } from '#server/db/connect.ts';
import type { DeliveryRow } from '#server/db/schema/index.ts';
import { toAppError } from '#server/errors.ts';
import type { Services } from '#server/services.ts';
import { type NextState, nextState } from './backoff.ts';
import { attemptLimitSeconds, type Lease, releaseLease } from './lease.ts';
import { recordAttempt } from './recordAttempt.ts';
import { obstacleTo, readSubjects, type Subject } from './subject.ts';
import type { DeliveryResult, EndedAttempt } from './types.ts';

export type DeliveryServices = Pick<Services, 'db' | 'dataKeys' | 'log' | 'now' | 'channels'>;

/** A delivery's state after a lease, and the attempt's result; null: none was made. */
export interface AttemptOutcome extends Pick<DeliveryRow, 'state' | 'reason'> {
  result: DeliveryResult | null;
  durationMs: number;
}

export interface AttemptOptions {
  /** Aborted when the process stops: the attempt is interrupted and its delivery is due again. */
  stopping: AbortSignal;
  /** For one attempt; tests set less. */
  limitMs?: number;
}

/** Makes the attempts that deliveries were leased for. Calls `attempt` for each as soon as its rows are read. Throws if they can't be read. */
export async function startAttempts(
  { db, dataKeys, now }: DeliveryServices,
  leases: readonly Lease[],
  attempt: (lease: Lease, subject: Subject) => void,
): Promise<void> {
  const { key } = await dataKeys.current('identity');
  const subjects = await readSubjects(db, leases, key);
  const byId = new Map(subjects.map((subject) => [subject.delivery.id, subject]));
  for (const lease of leases) {
    const subject = byId.get(lease.id);
    if (subject !== undefined) attempt(lease, subject);
    else {
      const reason = 'What it is about was deleted.';
      const gone = { state: 'cancelled', reason, nextAttemptAt: null, finishedAt: now() } as const;
      await releaseLease(db, lease, gone);
    }
  }
}

/** Makes the one attempt of a lease, unless it isn't allowed now, and records what follows. */
export async function attemptDelivery(
  services: DeliveryServices,
  { lease, subject }: { lease: Lease; subject: Subject },
  options: AttemptOptions,
): Promise<AttemptOutcome> {
  const { db, now, channels } = services;
  const { delivery } = subject;
  if (delivery.state !== 'queued') {
    // Cancelled since it was leased.
    await releaseLease(db, lease, delivery);
    return { ...delivery, result: null, durationMs: 0 };
  }
  const obstacle = obstacleTo(subject);
  const held = obstacle === null ? channels[delivery.channel].heldReason() : null;
  if (obstacle !== null || held !== null) {
    const next: NextState =
      obstacle === null
        ? { state: 'held', reason: held, nextAttemptAt: null, finishedAt: null }
        : { state: 'cancelled', reason: obstacle, nextAttemptAt: null, finishedAt: now() };
    await releaseLease(db, lease, next);
    return { ...next, result: null, durationMs: 0 };
  }
  const startedAt = performance.now();
  const prepared = prepareAttempt(services, subject);
  const result = await withLimit(services, prepared, options);
  return finish(services, {
    lease,
    subject,
    result,
    afterAttempt: prepared.afterAttempt,
    durationMs: performance.now() - startedAt,
    isInterrupted: options.stopping.aborted && result.outcome === 'failed',
  });
}

type AfterAttempt = ReturnType<typeof prepareAttempt>['afterAttempt'];
type Recordable = EndedAttempt<unknown>['result'];

/** The channel's part of an attempt. */
function prepareAttempt({ channels, now }: DeliveryServices, subject: Subject) {
  const { delivery } = subject;
  if (subject.kind === 'event') {
    const { event, endpoint } = subject;
    if (endpoint === null) throw new Error('an endpoint that was removed gets no attempt');
    const input = { delivery, event, endpoint, now: now() };
    const { webhook } = channels;
    return {
      deliver: (signal: AbortSignal) => webhook.deliver({ ...input, signal }),
      afterAttempt: async (tx: Queryable, result: Recordable, at: Date): Promise<void> =>
        webhook.afterAttempt?.(tx, { input, result, now: at }),
      delivery,
    };
  }
  const { lead, provider, remoteId, isKnown, isUnanswered } = subject;
  const { id: deliveryId, attempts: attemptNumber } = delivery;
  const input = {
    ...{ deliveryId, delivery, lead, provider, now: now() },
    ...{ attemptNumber, remoteId, isKnown, isUnanswered },
  };
  if (delivery.channel === 'webhook') throw new Error('a webhook is about an event');
  const channel = channels[delivery.channel];
  return {
    deliver: (signal: AbortSignal) => channel.deliver({ ...input, signal }),
    afterAttempt: async (tx: Queryable, result: Recordable, at: Date): Promise<void> =>
      channel.afterAttempt?.(tx, { input, result, now: at }),
    delivery,
  };
}

/** Our own failure uses up none of the attempts. Receivers recognize a message that was sent after all by its id. */
const databaseLost: DeliveryResult = {
  outcome: 'postponed',
  reason: 'The database was unavailable during the attempt.',
  retryAfterSeconds: 5,
};

/** One attempt, which ends when its time is over even if the channel ignores the signal. */
async function withLimit(
  { log }: DeliveryServices,
  { deliver, delivery }: ReturnType<typeof prepareAttempt>,
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
    const failed = { outcome: 'failed', permanent: false, status: null, answer: null } as const;
    if (limit.aborted)
      return { ...failed, isTimeout: true, reason: `There was no answer within ${limitMs / 1000} seconds.` };
    if (stopping.aborted) return { ...failed, reason: 'The try was broken off because the worker stopped.' };
    if (toAppError(error).code === 'SERVICE_UNAVAILABLE') return databaseLost;
    log.error({ err: error, deliveryId: delivery.id, channel: delivery.channel }, 'a delivery attempt threw');
    return { ...failed, reason: 'Something went wrong on our side.' };
  } finally {
    signal.removeEventListener('abort', end);
  }
}

interface Made {
  lease: Lease;
  subject: Subject;
  result: DeliveryResult;
  afterAttempt: AfterAttempt;
  durationMs: number;
  /** By us: its delivery is due again now, and the attempt doesn't count. */
  isInterrupted: boolean;
}

async function finish(
  { db, now, channels }: DeliveryServices,
  { lease, subject, result, afterAttempt, durationMs, isInterrupted }: Made,
): Promise<AttemptOutcome> {
  const { attempts, attemptsBeforeRound } = subject.delivery;
  const at = now();
  const following = nextState(result, { attempts: attempts - attemptsBeforeRound, now: at });
  const next: NextState = isInterrupted
    ? { ...following, state: 'queued', nextAttemptAt: at, finishedAt: null }
    : following;
  if (result.outcome === 'cancelled' || result.outcome === 'postponed') await releaseLease(db, lease, next);
  else
    await recordAttempt(db, {
      ...{ lease, subject, result, next, durationMs, now: at },
      isInterrupted,
      afterAttempt: (tx) => afterAttempt(tx, result, at),
      onLeadFailure: channels.onLeadFailure,
    });
  return { state: next.state, reason: next.reason, result, durationMs };
}

import { eq } from 'drizzle-orm';
import type { Queryable } from '#server/db/connect.ts';
import { leads } from '#server/db/schema/index.ts';
import { toAppError } from '#server/errors.ts';
import { attemptLimitSeconds } from '#server/background/queues.ts';
import type { Services } from '#server/services.ts';
import type { Channel, DeliveryInput, DeliveryResult } from './channel.ts';
import { type Claim, claimDue, letGo } from './lease.ts';
import { settle } from './recordAttempt.ts';
import { type Standing, standingAfter } from './deliveryState.ts';
import { obstacleTo } from './subject.ts';

export type DeliveryServices = Pick<Services, 'db' | 'dataKeys' | 'log' | 'now' | 'channels'>;

/** What became of a delivery, or why nothing did. */
export type Became = Pick<Standing, 'state' | 'reason'>;

/** What a worker does with a job: makes one try if the delivery is due and nobody else makes one. `stopping` tells that the process ends. */
export async function deliverOne(
  services: DeliveryServices,
  id: string,
  stopping: AbortSignal,
): Promise<void> {
  const claim = await claimDue(services, id, services.now());
  if (claim !== null) await makeAttempt(services, claim, stopping);
}

/** Makes the one try a claim is for, unless something stands in its way, and writes down what came of it. */
export async function makeAttempt(
  services: DeliveryServices,
  taken: Claim,
  stopping: AbortSignal,
): Promise<Became> {
  const { db, now, channels } = services;
  const claim = obstacleOf(taken) === null ? taken : await readLeadAgain(db, taken);
  const { delivery } = claim;
  const obstacle = obstacleOf(claim);
  const channel = channels[delivery.channel];
  const held = obstacle === null ? channel.heldReason() : null;
  if (obstacle !== null || held !== null) {
    const standing: Standing =
      obstacle === null
        ? { state: 'held', reason: held, nextAttemptAt: null, finishedAt: null }
        : { state: 'cancelled', reason: obstacle, nextAttemptAt: null, finishedAt: now() };
    await letGo(db, claim, standing);
    return standing;
  }
  const startedAt = performance.now();
  const result = await within(services, channel, inputOf(claim, now()), stopping);
  return write(services, {
    claim,
    result,
    durationMs: performance.now() - startedAt,
    isInterrupted: stopping.aborted && result.outcome === 'failed',
  });
}

function obstacleOf({ delivery, subject }: Claim): string | null {
  return obstacleTo(delivery, subject);
}

/** A claim reads the lead a moment before it has the delivery: whoever gives a lead to another clinic may change both in between. */
async function readLeadAgain(db: Queryable, claim: Claim): Promise<Claim> {
  const [lead] = await db.select().from(leads).where(eq(leads.id, claim.delivery.leadId));
  return lead === undefined ? claim : { ...claim, subject: { ...claim.subject, lead } };
}

function inputOf(
  { delivery, subject: { lead, provider, remoteId, isKnown, isUnanswered } }: Claim,
  now: Date,
): Omit<DeliveryInput, 'signal'> {
  const { id: deliveryId, attempts: attemptNumber } = delivery;
  return { deliveryId, delivery, lead, provider, now, attemptNumber, remoteId, isKnown, isUnanswered };
}

/** Our own failure uses up none of the delivery's attempts. Receivers recognize a message that was sent after all by its id. */
const databaseLost: DeliveryResult = {
  outcome: 'postponed',
  reason: 'The database was unavailable during the attempt.',
  retryAfterSeconds: 5,
};

/** One try, over when its time is, whatever the channel makes of the signal. */
async function within(
  { log }: DeliveryServices,
  channel: Channel,
  input: Omit<DeliveryInput, 'signal'>,
  stopping: AbortSignal,
): Promise<DeliveryResult> {
  const limit = AbortSignal.timeout(attemptLimitSeconds * 1000);
  const signal = AbortSignal.any([limit, stopping]);
  const over = Promise.withResolvers<never>();
  const end = (): void => over.reject(signal.reason);
  signal.addEventListener('abort', end);
  try {
    return await Promise.race([channel.deliver({ ...input, signal }), over.promise]);
  } catch (error) {
    const failed = { outcome: 'failed', permanent: false, status: null, answer: null } as const;
    if (limit.aborted)
      return { ...failed, reason: `There was no answer within ${attemptLimitSeconds} seconds.` };
    if (stopping.aborted) return { ...failed, reason: 'The try was broken off because the worker stopped.' };
    if (toAppError(error).code === 'SERVICE_UNAVAILABLE') return databaseLost;
    log.error({ err: error, deliveryId: input.deliveryId, channel: channel.name }, 'a try to deliver threw');
    return { ...failed, reason: 'Something went wrong on our side.' };
  } finally {
    signal.removeEventListener('abort', end);
  }
}

interface Made {
  claim: Claim;
  result: DeliveryResult;
  durationMs: number;
  /** Broken off by us: tried again at once by whoever still runs. */
  isInterrupted: boolean;
}

async function write(
  { db, now }: DeliveryServices,
  { claim, result, durationMs, isInterrupted }: Made,
): Promise<Became> {
  const { delivery, subject } = claim;
  const at = now();
  const standing: Standing = isInterrupted
    ? {
        ...standingAfter(result, { attempts: 0, now: at }),
        state: 'queued',
        nextAttemptAt: at,
        finishedAt: null,
      }
    : standingAfter(result, { attempts: delivery.attempts - delivery.attemptsBeforeRound, now: at });
  if (result.outcome === 'cancelled' || result.outcome === 'postponed') await letGo(db, claim, standing);
  else
    await settle(db, {
      delivery,
      lead: subject.lead,
      result,
      standing,
      durationMs,
      counts: !isInterrupted,
      now: at,
    });
  return standing;
}

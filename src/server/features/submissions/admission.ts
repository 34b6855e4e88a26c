import type { QuarantineReason } from '#shared/leads/quarantine.ts';
import { AppError } from '#server/errors.ts';
import type { Caller } from '#server/caller.ts';
import type { Services } from '#server/services.ts';
import type { Verdict } from './spam.ts';

/** How a submission is stored. */
export interface Admission {
  quarantineReason: QuarantineReason | null;
  /** When its network's window may allow an `over-limit` one; null for any other. */
  releaseAt: Date | null;
}

/**
 * Counts a judged submission against the window of its kind. Above the limit of its network, one with a valid form token is stored as
 * `over-limit`, up to nine times as many again (ten times the limit in all). Above that, and for every other kind, throws
 * TOO_MANY_REQUESTS with the seconds until the normal window. Sets the rate limit headers on `caller.responseHeaders`.
 */
export async function admit(
  { leadLimits, now }: Pick<Services, 'leadLimits' | 'now'>,
  { ip, responseHeaders }: Pick<Caller, 'ip' | 'responseHeaders'>,
  { kind, quarantineReason }: Verdict,
): Promise<Admission> {
  const refusal = await refusalOf(leadLimits.take(ip, kind, responseHeaders));
  if (refusal === null) return { quarantineReason, releaseAt: null };
  // The answer keeps the headers of the normal window: whoever waits for that isn't over the limit any more.
  if (kind !== 'form' || (await refusalOf(leadLimits.take(ip, 'over-limit', new Map()))) !== null)
    throw refusal;
  const releaseAt = new Date(now().getTime() + (refusal.retryAfterSeconds ?? 0) * 1000);
  return { quarantineReason: 'over-limit', releaseAt };
}

/** Why a call was one too many, null if it wasn't. */
export async function refusalOf(taking: Promise<void>): Promise<AppError | null> {
  try {
    await taking;
    return null;
  } catch (error) {
    if (error instanceof AppError && error.code === 'TOO_MANY_REQUESTS') return error;
    throw error;
  }
}

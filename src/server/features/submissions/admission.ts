import type { QuarantineReason } from '#shared/leads/quarantine.ts';
import { AppError } from '#server/errors.ts';
import type { Caller } from '#server/caller.ts';
import type { Services } from '#server/services.ts';
import type { Verdict } from './spam.ts';
import type { LimitedKind } from './submissionLimits.ts';

/** How a submission is stored. */
export interface Admission {
  quarantineReason: QuarantineReason | null;
  /** When an `over-limit` submission may be released; null for others. */
  releaseAt: Date | null;
  /** The windows that counted it. */
  countedAs: LimitedKind;
}

/**
 * Counts a judged submission against the windows of its kind. Above its network's limit, a submission with a valid form
 * token is stored as `over-limit`, up to ten times the limit in all. Above that, and for every other kind, throws
 * TOO_MANY_REQUESTS with the seconds until the normal window. Sets the rate limit headers on `caller.responseHeaders`.
 */
export async function admit(
  { limits, now }: Pick<Services, 'now'> & { limits: Pick<Services['limits'], 'leads'> },
  { ip, responseHeaders }: Pick<Caller, 'ip' | 'responseHeaders'>,
  { kind, quarantineReason }: Verdict,
): Promise<Admission> {
  const refusal = await catchRefusal(limits.leads.take(ip, kind, responseHeaders));
  if (refusal === null) return { quarantineReason, releaseAt: null, countedAs: kind };
  // The response keeps the headers of the normal window: after it, a submission is within the limit again.
  if (kind !== 'form' || (await catchRefusal(limits.leads.take(ip, 'over-limit', new Map()))) !== null)
    throw refusal;
  const releaseAt = new Date(now().getTime() + (refusal.retryAfterSeconds ?? 0) * 1000);
  return { quarantineReason: 'over-limit', releaseAt, countedAs: 'over-limit' };
}

/** The refusal of a call above the limit, or null. */
export async function catchRefusal(taking: Promise<unknown>): Promise<AppError | null> {
  try {
    await taking;
    return null;
  } catch (error) {
    if (error instanceof AppError && error.code === 'TOO_MANY_REQUESTS') return error;
    throw error;
  }
}

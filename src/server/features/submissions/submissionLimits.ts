import type { RateWindow } from '#server/config/kinds.ts';
import type { Database } from '#server/db/connect.ts';
import { AppError } from '#server/errors.ts';
import type { Log } from '#server/log.ts';
import {
  type Consumed,
  createSharedLimiter,
  networkKey,
  type SharedLimiter,
} from '#server/security/sharedLimiter.ts';
import { messages } from '#shared/brand/messages.ts';
import { buildRecord, listKeys } from '#shared/formats/records.ts';

/**
 * A submission with a form token, one from a script (JSON without a token), or a quarantined one. Each kind has windows
 * of its own, so that spam uses nothing of the limit of honest visitors behind the same address.
 */
export type SubmissionKind = 'form' | 'script' | 'quarantined';

/**
 * The kinds of calls, each counted apart: submissions, those stored above the limit, match previews for a ZIP, outcomes
 * reported by providers, and withdrawals by link, on the page or with one click in a mail program.
 */
export type LimitedKind = SubmissionKind | 'over-limit' | 'preview' | 'outcome' | 'withdrawal' | 'one-click';

/** Factors of the points in `RATE_LIMIT_LEADS`. */
const shares: Partial<Record<LimitedKind, number>> = { script: 0.5 };
/** The hard ceiling, as a factor of the longest window. */
const ceilingFactor = 10;

/**
 * The window of submissions above the limit. Only the longest one ends in refusals: an ad or a newsletter brings many
 * people of one carrier within minutes. With what the shortest window admits, it allows the ceiling.
 */
function ceilingWindows(windows: readonly RateWindow[]): RateWindow[] {
  const [shortest, longest] = [windows.at(0), windows.at(-1)];
  if (shortest === undefined || longest === undefined) return [];
  const points = ceilingFactor * longest.points - Math.min(shortest.points, longest.points);
  return [{ points, windowSeconds: longest.windowSeconds }];
}

/** A person corrects a ZIP a few times. For the whole list there is `/api/providers`. */
const previewWindows: readonly RateWindow[] = [
  { points: 20, windowSeconds: 60 },
  { points: 100, windowSeconds: 3600 },
];

/** A person at a provider's desk reports the outcomes of a day's leads; each report updates the lead. */
const outcomeWindows: readonly RateWindow[] = [
  { points: 60, windowSeconds: 60 },
  { points: 600, windowSeconds: 3600 },
];

/** One-click requests (RFC 8058) of many people come from few networks: their mail providers'. */
const oneClickWindows: readonly RateWindow[] = [
  { points: 600, windowSeconds: 60 },
  { points: 6000, windowSeconds: 3600 },
];

/** The windows of what the configuration doesn't limit. */
const ownWindows: Partial<Record<LimitedKind, readonly RateWindow[]>> = {
  preview: previewWindows,
  outcome: outcomeWindows,
  // On the page.
  withdrawal: outcomeWindows,
  'one-click': oneClickWindows,
};

interface Options {
  db: Database;
  /** For submissions. Empty: no limit. */
  windows: readonly RateWindow[];
  /** The first one makes the keys. A change resets the counts. */
  secretKeys: readonly string[];
  log: Log;
}

interface Limiter extends SharedLimiter {
  name: string;
}

const { tooMany } = messages;
const refusals: Record<LimitedKind, string> = {
  form: tooMany.submissions,
  script: tooMany.submissions,
  quarantined: tooMany.submissions,
  'over-limit': tooMany.submissions,
  outcome: tooMany.outcomes,
  withdrawal: tooMany.withdrawals,
  'one-click': tooMany.withdrawals,
  preview: tooMany.previews,
};

const unitSeconds = { d: 86_400, h: 3_600, m: 60 } as const;

/** `60` → `1m`, as in the configuration. */
function windowName(seconds: number): string {
  for (const [unit, size] of Object.entries(unitSeconds)) {
    if (seconds % size === 0) return `${seconds / size}${unit}`;
  }
  return `${seconds}s`;
}

function getLimiter({ db, log }: Options, kind: LimitedKind, window: RateWindow): Limiter {
  const { points: full, windowSeconds } = window;
  const points = Math.ceil(full * (shares[kind] ?? 1));
  const keyPrefix = `lead-${kind}-${windowSeconds}`;
  const limiter = createSharedLimiter({ db, log, keyPrefix, points, windowSeconds });
  return { ...limiter, name: windowName(windowSeconds) };
}

/** Sets both headers (draft-ietf-httpapi-ratelimit-headers-10): the policies, and what remains of counted windows. */
function describe(
  limiters: readonly Limiter[],
  counted: ReadonlyMap<Limiter, Consumed>,
  headers: Map<string, string>,
): void {
  const policies = limiters.map((limiter) => {
    const points = counted.get(limiter)?.points ?? limiter.points;
    return `"${limiter.name}";q=${points};w=${limiter.windowSeconds}`;
  });
  const left = [...counted].map(
    ([{ name }, { remainingPoints, msBeforeNext }]) =>
      `"${name}";r=${remainingPoints};t=${Math.ceil(msBeforeNext / 1000)}`,
  );
  headers.set('RateLimit-Policy', policies.join(', '));
  headers.set('RateLimit', left.join(', '));
}

export function createLeadLimits(options: Options) {
  const [secret] = options.secretKeys;
  if (secret === undefined) throw new Error('lead limits need a secret key');
  const windows = options.windows.toSorted((a, b) => a.windowSeconds - b.windowSeconds);
  const limiters = buildRecord(listKeys(refusals), (kind) => {
    const own = kind === 'over-limit' ? ceilingWindows(windows) : (ownWindows[kind] ?? windows);
    return own.map((window) => getLimiter(options, kind, window));
  });
  return {
    /**
     * Counts a call from an address, its network and its neighborhoods against every window, in all processes. Sets
     * `RateLimit-Policy` and `RateLimit` on `headers`, each window as the network closest to refusal sees it. Throws
     * TOO_MANY_REQUESTS with the seconds to wait. A refused call counts in no longer window and moves no end.
     */
    async take(ip: string, kind: LimitedKind, headers: Map<string, string>): Promise<void> {
      if (limiters[kind].length === 0) return;
      const key = networkKey(secret, 'lead-limit', ip);
      const counted = new Map<Limiter, Consumed>();
      const judge = (limiter: Limiter, result: Consumed): void => {
        counted.set(limiter, result);
        if (!result.isRefused) return;
        describe(limiters[kind], counted, headers);
        const retryAfterSeconds = Math.max(1, Math.ceil(result.msBeforeNext / 1000));
        throw new AppError('TOO_MANY_REQUESTS', refusals[kind], { retryAfterSeconds });
      };
      // Checked before any window is counted, or a flood that a longer window refuses would write to the shorter ones.
      for (const limiter of limiters[kind]) {
        const refusal = limiter.refusal(key);
        if (refusal !== null) judge(limiter, refusal);
      }
      // Shortest first, up to the first refusal, or refused calls of one minute would use up the hour's limit.
      for (const limiter of limiters[kind]) judge(limiter, await limiter.consume(key));
      describe(limiters[kind], counted, headers);
    },
    /** Takes a counted call back: it repeated one that was counted. */
    async giveBack(ip: string, kind: LimitedKind): Promise<void> {
      const key = networkKey(secret, 'lead-limit', ip);
      for (const limiter of limiters[kind]) await limiter.giveBack(key);
    },
  };
}

export type LeadLimits = ReturnType<typeof createLeadLimits>;

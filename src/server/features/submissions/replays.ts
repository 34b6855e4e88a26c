import type { Database } from '#server/db/connect.ts';
import { AppError } from '#server/errors.ts';
import { createLocalLimiter } from '#server/security/localLimiter.ts';
import type { IdempotencyClaim } from './idempotency.ts';

export interface Replays {
  /**
   * What the holder of a claim was answered, or null: nobody holds it, it was claimed with other content, or too many of the address's network were
   * looked up. Such a submission goes the usual way, through the limit. Throws TOO_MANY_REQUESTS for a network with too many replays.
   */
  find: (ip: string, claim: IdempotencyClaim) => Promise<unknown>;
}

interface ReplaysOptions {
  db: Database;
  now: () => Date;
}

/** A client that lost an answer asks again a few times. */
const replayLimits = { points: 60, windowSeconds: 60 };
/** Each new submission is looked up once: above this the limit of submissions has the word first. */
const lookupLimits = { points: 120, windowSeconds: 60 };

/**
 * Recognizes a submission that was sent before, by one read, before anything is counted: a replay uses up nothing of what its network may submit, and
 * has an allowance of its own in this process's memory.
 */
export function createReplays({ db, now }: ReplaysOptions): Replays {
  const lookups = createLocalLimiter(lookupLimits);
  const replays = createLocalLimiter(replayLimits);
  return {
    async find(ip, { key, requestSha256 }) {
      if ((await lookups.take(ip)) !== null) return null;
      const [held] = await db.$client<{ body: unknown }[]>`
        select body from idempotency_keys
        where key = ${key} and request_sha256 = ${requestSha256} and expires_at > ${now().toISOString()}`;
      if (held === undefined) return null;
      const retryAfterSeconds = await replays.take(ip);
      if (retryAfterSeconds !== null)
        throw new AppError('TOO_MANY_REQUESTS', 'Too many repeated submissions. Please wait a moment.', {
          retryAfterSeconds,
        });
      return held.body;
    },
  };
}

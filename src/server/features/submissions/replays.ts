import type { Database } from '#server/db/connect.ts';
import { readTogether } from '#server/db/readRows.ts';
import { AppError } from '#server/errors.ts';
import { createLocalLimiter } from '#server/security/localLimiter.ts';
import { messages } from '#shared/brand/messages.ts';
import { answerFor, type IdempotencyClaim, type StoredAnswer } from './idempotency.ts';

/** A client that lost a response retries a few times. */
const replayLimits = { points: 60, windowSeconds: 60 };
/** Each new submission is looked up once. Above this, the limit of submissions decides first. */
const lookupLimits = { points: 120, windowSeconds: 60 };

/** Recognizes a repeated submission by one read, before it counts. Replays have their own limit in process memory. */
export function createReplays({ db, now }: { db: Database; now: () => Date }) {
  const lookups = createLocalLimiter(lookupLimits);
  const replays = createLocalLimiter(replayLimits);
  const findStored = readTogether(async (keys: readonly string[]): Promise<(StoredAnswer | null)[]> => {
    // Each key by the index: as a join, a plan made for an empty table would read the whole table for good.
    const rows = await db.$client<(StoredAnswer & { key: string })[]>`
      select stored.* from json_array_elements_text(${JSON.stringify(keys)}::text::json) as asked (key) cross join lateral (
        select key, request_sha256 as "requestSha256", body from idempotency_keys
        where idempotency_keys.key = asked.key and expires_at > ${now().toISOString()} offset 0
      ) as stored`;
    const byKey = new Map(rows.map((row) => [row.key, row]));
    return keys.map((key) => byKey.get(key) ?? null);
  });
  return {
    /**
     * The answer to an earlier, equal submission with this key. Null without one, or above the network's lookups: then
     * the rate limit applies. Throws UNPROCESSABLE_CONTENT for other content, TOO_MANY_REQUESTS for many replays.
     */
    async find(ip: string, claim: IdempotencyClaim): Promise<unknown> {
      if ((await lookups.take(ip)) !== null) return null;
      const [own, earlier] = await Promise.all([
        findStored(claim.key),
        claim.earlierKey === undefined ? null : findStored(claim.earlierKey),
      ]);
      const stored = own ?? (earlier?.requestSha256 === claim.requestSha256 ? earlier : null);
      if (stored === null) return null;
      const retryAfterSeconds = await replays.take(ip);
      if (retryAfterSeconds !== null)
        throw new AppError('TOO_MANY_REQUESTS', messages.tooMany.repeats, { retryAfterSeconds });
      return answerFor(claim, stored);
    },
  };
}

export type Replays = ReturnType<typeof createReplays>;

import { dayMs } from '#shared/formats/time.ts';
import type { Database } from '#server/db/connect.ts';
import type { Log } from '#server/log.ts';
import { messages } from '#shared/brand/messages.ts';
import type { Caller } from '#server/caller.ts';
import { AppError } from '#server/errors.ts';
import { createLocalLimiter } from '#server/security/localLimiter.ts';
import { createSharedLimiter, hiddenKey } from '#server/security/sharedLimiter.ts';
import type { FormTokens, TokenForm } from './formToken.ts';
import type { Verdict } from './spam.ts';

/** A person corrects a submission a few times; a token that is used more often is a script's. */
const usesMax = 5;

/** Fetches per network, whose people may open many pages at once. Above it, a page sends the token it came with. */
const fetchLimits = { points: 1_200, windowSeconds: 600 };

interface Options {
  formTokens: FormTokens;
  db: Database;
  log: Log;
  /** The first one makes the keys. A change resets the counts. */
  secretKeys: readonly string[];
}

export function createTokenUses({ formTokens, db, log, secretKeys: [secret] }: Options) {
  if (secret === undefined) throw new Error('counts of tokens need a secret key');
  const uses = createSharedLimiter({
    db,
    log,
    keyPrefix: 'form-token',
    points: usesMax,
    windowSeconds: dayMs / 1000,
  });
  const fetches = createLocalLimiter(fetchLimits);
  const toKey = (nonce: string): string => hiddenKey(secret, 'form-token', nonce);
  return {
    /** A token for a form's script. Throws TOO_MANY_REQUESTS if the visitor's network fetched too many. */
    async issue({ site, ip }: Pick<Caller, 'site' | 'ip'>, form: TokenForm) {
      const retryAfterSeconds = await fetches.take(ip);
      if (retryAfterSeconds !== null)
        throw new AppError('TOO_MANY_REQUESTS', messages.tooMany.submissions, { retryAfterSeconds });
      const token = form === 'api' ? '' : formTokens.issueFetched(form, { site, ip });
      return { token, minAgeMs: formTokens.minAgeMs };
    },
    /** Counts a use of a fetched token, across processes. After five, the form no longer counts as shown. */
    async count<V extends Verdict>(verdict: V): Promise<V> {
      const { tokenNonce, isFormShown } = verdict;
      if (tokenNonce === null || !isFormShown) return verdict;
      const { isRefused } = await uses.consume(toKey(tokenNonce));
      return isRefused ? { ...verdict, isFormShown: false, msFromRender: null } : verdict;
    },
    /** Takes a use back: it repeated one that was counted. */
    async giveBack({ tokenNonce, isFormShown }: Verdict): Promise<void> {
      if (tokenNonce !== null && isFormShown) await uses.giveBack(toKey(tokenNonce));
    },
  };
}

export type TokenUses = ReturnType<typeof createTokenUses>;

import type { Database } from '../../db/connect.ts';
import { AppError } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { createSharedLimiter, networkKey } from '../../sharedLimiter.ts';

const windowSeconds = 15 * 60;
/** A person mistypes a few times. */
const perNetwork = 5;
/** From all unknown networks together: whoever has many of them still guesses no more than this. */
const inAll = 100;
const everyone = 'all';
const knownSeconds = 30 * 24 * 3600;

export interface SignInLimits {
  /**
   * Counts a try before it is judged, so that many at once get no further than one after the other. Throws TOO_MANY_REQUESTS with the time
   * to wait, after 5 wrong tries in 15 minutes from one network, or 100 from all: these don't keep out a network that somebody signed in from
   * in the last thirty days, or anyone could keep all staff out.
   */
  take: (ip: string) => Promise<void>;
  /** A right password is no wrong try, and makes its network a known one. */
  giveBack: (ip: string) => Promise<void>;
}

interface Options {
  db: Database;
  secretKeys: readonly string[];
  log: Log;
}

function tooMany(msToWait: number): AppError {
  const minutes = Math.max(1, Math.ceil(msToWait / 60_000));
  const wait = minutes === 1 ? 'a minute' : `${minutes} minutes`;
  return new AppError('TOO_MANY_REQUESTS', `Too many tries. Please wait ${wait} and try again.`, {
    retryAfterSeconds: Math.max(1, Math.ceil(msToWait / 1000)),
  });
}

/** Limits wrong passwords, over all processes. */
export function createSignInLimits({ db, secretKeys, log }: Options): SignInLimits {
  const [secret] = secretKeys;
  if (secret === undefined) throw new Error('sign-in limits need a secret key');
  const networks = createSharedLimiter({
    db,
    log,
    keyPrefix: 'sign-in-network',
    points: perNetwork,
    windowSeconds,
  });
  const all = createSharedLimiter({ db, log, keyPrefix: 'sign-in', points: inAll, windowSeconds });
  const known = createSharedLimiter({
    db,
    log,
    keyPrefix: 'sign-in-known',
    points: 1,
    windowSeconds: knownSeconds,
  });
  const keyOf = (ip: string): string => networkKey(secret, 'sign-in', ip);
  return {
    async take(ip) {
      const key = keyOf(ip);
      const own = await networks.consume(key);
      if (own.consumedPoints > perNetwork) throw tooMany(own.msBeforeNext);
      // After it: a network that is refused anyway must not use up what all have together.
      const together = await all.consume(everyone);
      if (together.consumedPoints > inAll && !(await known.has(key))) throw tooMany(together.msBeforeNext);
    },
    async giveBack(ip) {
      const key = keyOf(ip);
      await networks.giveBack(key);
      await all.giveBack(everyone);
      await known.mark(key);
    },
  };
}

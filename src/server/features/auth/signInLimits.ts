import type { RateWindow } from '#server/config/kinds.ts';
import type { Database } from '#server/db/connect.ts';
import { AppError } from '#server/errors.ts';
import type { Log } from '#server/log.ts';
import { stepMinutes } from '#server/security/cookies.ts';
import {
  type Consumed,
  createSharedLimiter,
  hiddenKey,
  type LimitKey,
  type LimitLevel,
  networkKey,
  type SharedLimiter,
} from '#server/security/sharedLimiter.ts';

const quarterHourSeconds = 15 * 60;
/** A person mistypes a few times. */
const perDevice = { points: 5, windowSeconds: quarterHourSeconds };
/** For devices that are not known; neighborhoods allow more (sharedLimiter.ts). */
const perNetwork = { points: 5, windowSeconds: quarterHourSeconds };
/** From all unknown devices together. Beyond it they aren't refused but take the slow lane. */
const perAccount = { points: 20, windowSeconds: quarterHourSeconds };
/** Per account and network: enough for the right password and one typo, ten times slower than the normal rate. */
const slowLane = { points: 2, windowSeconds: 3600 };
/**
 * In the slow lanes of an account, from all networks together. With it, somebody with any number of networks gets about
 * 180 guesses an hour. It slows and never ends. Known devices and the link by email pass it.
 */
const allSlowLanes = { points: 100, windowSeconds: 3600 };
/**
 * Wrong codes of a second factor, of an account. Who enters one knows the password. A guess a minute or so would need
 * years.
 */
const codesPerAccount = { points: 5, windowSeconds: quarterHourSeconds };
/** An answer of the identity provider counts once, for as long as an attempt lasts. */
const onePerState = { points: 1, windowSeconds: stepMinutes * 60 };
/** Wrong answers: each makes a request to the provider, which may limit ours. */
const answersPerNetwork = { points: 20, windowSeconds: quarterHourSeconds };
/** Requests of links, for any address. */
const linksPerNetwork = { points: 5, windowSeconds: quarterHourSeconds };
/** A link is valid for longer (signInLinks.ts), so the owner of the mailbox always has a valid one or gets one. */
const linksPerAccount = { points: 1, windowSeconds: quarterHourSeconds };

/** What an attempt claims before it is checked. */
export interface SignInClaim {
  ip: string;
  /** The account's email address; empty for the shared password. */
  email: string;
  /** The id of a device on which this account signed in before (signInDevices.ts); null for an unknown one. */
  device: string | null;
}

interface LinkClaim extends Pick<SignInClaim, 'ip' | 'email'> {
  kind: 'sign-in' | 'reset';
}

interface Options {
  db: Database;
  /** The first one makes the keys; changing it resets the counts. */
  secretKeys: readonly string[];
  log: Log;
}

function tooMany(msToWait: number): AppError {
  const minutes = Math.max(1, Math.ceil(msToWait / 60_000));
  const wait = minutes === 1 ? 'a minute' : `${minutes} minutes`;
  return new AppError('TOO_MANY_REQUESTS', `Too many sign-in attempts. Try again in ${wait}.`, {
    retryAfterSeconds: Math.max(1, Math.ceil(msToWait / 1000)),
  });
}

/** Limits wrong passwords across all processes, so that attackers can neither guess one nor lock staff out. */
export function createSignInLimits({ db, secretKeys, log }: Options) {
  const [secret] = secretKeys;
  if (secret === undefined) throw new Error('sign-in limits need a secret key');
  const limit = (keyPrefix: string, window: RateWindow) =>
    createSharedLimiter({ db, log, keyPrefix, ...window });
  const devices = limit('sign-in-device', perDevice);
  const networks = limit('sign-in-network', perNetwork);
  const accounts = limit('sign-in-account', perAccount);
  const slow = limit('sign-in-slow', slowLane);
  const allSlow = limit('sign-in-slow', allSlowLanes);
  const codes = limit('sign-in-code', codesPerAccount);
  const states = limit('sign-in-state', onePerState);
  const answers = limit('sign-in-answer', answersPerNetwork);
  const linkNetworks = limit('sign-in-link-network', linksPerNetwork);
  const linkAccounts = limit('sign-in-link-account', linksPerAccount);
  const accountKey = (email: string): string => hiddenKey(secret, 'sign-in-account', email.toLowerCase());
  /** Each kind for itself: a stranger's request of one must not keep the person from the other. */
  const linkKey = (kind: LinkClaim['kind'], email: string): string =>
    kind === 'sign-in' ? accountKey(email) : hiddenKey(secret, `${kind}-account`, email.toLowerCase());
  const slowKey = (email: string, ip: string): LimitLevel[] =>
    networkKey(secret, `sign-in-slow ${accountKey(email)}`, ip);

  return {
    /**
     * Counts an attempt before its password is checked, so that concurrent attempts gain nothing. A known device has a
     * limit of its own, and its attempts count nowhere else. Others count for their network and, all together, for the
     * account. When the account's limit is exhausted, each network gets a slow lane, and all of them share a ceiling.
     * Throws TOO_MANY_REQUESTS with the time to wait. The result takes the attempt back after a right password.
     */
    async take({ ip, email, device }: SignInClaim): Promise<() => Promise<void>> {
      const counted: { limiter: SharedLimiter; key: LimitKey }[] = [];
      const consume = async (limiter: SharedLimiter, key: LimitKey): Promise<Consumed> => {
        const result = await limiter.consume(key);
        if (!result.isRefused) counted.push({ limiter, key });
        return result;
      };
      const giveBack = async (): Promise<void> => {
        for (const { limiter, key } of counted) await limiter.giveBack(key);
      };
      if (device !== null) {
        const own = await consume(devices, hiddenKey(secret, 'sign-in-device', device));
        if (own.isRefused) throw tooMany(own.msBeforeNext);
        return giveBack;
      }
      // From memory first: when account and lane are exhausted, counting the network and taking it back would write for
      // every refused attempt.
      const known =
        accounts.refusal(accountKey(email)) &&
        (slow.refusal(slowKey(email, ip)) ?? allSlow.refusal(accountKey(email)));
      if (known !== null) throw tooMany(known.msBeforeNext);
      const network = await consume(networks, networkKey(secret, 'sign-in', ip));
      if (network.isRefused) throw tooMany(network.msBeforeNext);
      const account = await consume(accounts, accountKey(email));
      if (!account.isRefused) return giveBack;
      const lane = await consume(slow, slowKey(email, ip));
      const last = lane.isRefused ? lane : await consume(allSlow, accountKey(email));
      if (!last.isRefused) return giveBack;
      await giveBack();
      throw tooMany(last.msBeforeNext);
    },
    /**
     * Counts a code before it is checked. Throws TOO_MANY_REQUESTS with the time to wait. The result takes it back
     * after a right one.
     */
    async takeCode(accountId: number): Promise<() => Promise<void>> {
      const key = hiddenKey(secret, 'sign-in-code', String(accountId));
      const counted = await codes.consume(key);
      if (counted.isRefused) throw tooMany(counted.msBeforeNext);
      return () => codes.giveBack(key);
    },
    /**
     * Counts an answer to an attempt at single sign-on before the provider is asked about it. Null: it isn't the first,
     * or the network had too many wrong ones. The result takes it back for the network after a right one.
     */
    async takeState({ state, ip }: { state: string; ip: string }): Promise<(() => Promise<void>) | null> {
      if ((await states.consume(hiddenKey(secret, 'sign-in-state', state))).isRefused) return null;
      const key = networkKey(secret, 'sign-in-answer', ip);
      return (await answers.consume(key)).isRefused ? null : () => answers.giveBack(key);
    },
    /**
     * Counts a request of a link, whether or not the account exists. Returns whether one may be sent. Throws
     * TOO_MANY_REQUESTS for the network only, so that the answer says nothing about the account.
     */
    async takeLink({ ip, email, kind }: LinkClaim): Promise<boolean> {
      const network = await linkNetworks.consume(networkKey(secret, 'sign-in-link', ip));
      if (network.isRefused) throw tooMany(network.msBeforeNext);
      return !(await linkAccounts.consume(linkKey(kind, email))).isRefused;
    },
  };
}

export type SignInLimits = ReturnType<typeof createSignInLimits>;

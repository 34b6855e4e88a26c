import { toAppError } from '../errors.ts';
import { safeMessage, type Log } from '../log.ts';
import { parseDatabaseUrl } from './databaseUrl.ts';
import { setTimeout as delay } from 'node:timers/promises';

/** Why a process cannot start, as a message for the operator. */
export class StartFault extends Error {
  override readonly name = 'StartFault';
  /** Whether waiting is useless: a setting, the database or the version must change. */
  readonly permanent: boolean;

  constructor(message: string, { permanent, cause }: { permanent: boolean; cause?: unknown }) {
    super(message, { cause });
    this.permanent = permanent;
  }
}

/** OpenSSL's reasons to reject a certificate, as Node names them. */
const certificateCodes = new Set([
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** Messages of transient faults. Any other lost connection is named by its code. */
const transientReasons: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'network unreachable',
  ENOTFOUND: 'host name not found',
  EAI_AGAIN: 'host name lookup failed',
  ETIMEDOUT: 'connection timed out',
  CONNECT_TIMEOUT: 'connection timed out',
  CONNECTION_CLOSED: 'connection closed',
  '53300': 'too many connections',
  '57P03': 'the server is starting or stopping',
  '25006': 'the server is a read-only standby',
};

/**
 * The fault behind an error of the first connection or a migration, without credentials. A refused connection, starting
 * server or lock is transient; a wrong password, missing rights, refused TLS and the unknown are permanent.
 */
export function toStartFault(error: unknown, url: string, variable = 'DATABASE_URL'): StartFault {
  if (error instanceof StartFault) return error;
  const { hosts, user, database } = parseDatabaseUrl(url);
  const place = hosts.map(({ host, port }) => `${host}:${port}`).join(', ') || 'localhost:5432';
  const permanent = (message: string): StartFault =>
    new StartFault(message, { permanent: true, cause: error });
  const { code, message } = getCode(error);
  switch (code ?? '') {
    case '28P01':
      return permanent(
        `Postgres at ${place} refused the password of user "${user}". Check the user and the password in ${variable}.`,
      );
    case '28000':
      return permanent(
        `Postgres at ${place} doesn't let user "${user}" in (no such role, or pg_hba.conf has no entry for it). Check the user and sslmode in ${variable}.`,
      );
    case '3D000':
      return permanent(
        `Postgres at ${place} has no database "${database}". Create it, or check the name in ${variable}.`,
      );
    case '42501':
      return permanent(
        `User "${user}" lacks rights in database "${database}" (${message}). Make the user the database's owner, or set DATABASE_OWNER_URL; create the extensions cube, earthdistance and pg_trgm as a superuser.`,
      );
    case '0A000':
    case '58P01':
      if (/extension/.test(message))
        return permanent(
          `Postgres at ${place} lacks an extension (${message}). Install its contrib package: cube, earthdistance and pg_trgm are needed.`,
        );
      break;
    case 'ECONNRESET':
      if (/before secure TLS connection/.test(message))
        return permanent(
          `Postgres at ${place} refused TLS. Turn TLS on in Postgres, or check sslmode in ${variable}.`,
        );
      break;
    default:
  }
  if (code !== null && certificateCodes.has(code))
    return permanent(
      `The TLS certificate of Postgres at ${place} can't be verified (${code}). Check sslmode and sslrootcert in ${variable}.`,
    );
  if (toAppError(error).code === 'SERVICE_UNAVAILABLE')
    return new StartFault(
      `Can't reach Postgres at ${place} (${transientReasons[code ?? ''] ?? code ?? 'unknown reason'}). Check ${variable}.`,
      { permanent: false, cause: error },
    );
  return permanent(`The database at ${place} can't be prepared: ${message}`);
}

/** The code of the error or of its cause. Several failed addresses arrive as one error without a message. */
function getCode(error: unknown): { code: string | null; message: string } {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'string') return { code: at.code, message: safeMessage(at) };
    if (!(at.cause instanceof Error)) return { code: null, message: safeMessage(at) || at.name };
  }
  return { code: null, message: String(error) };
}

const firstDelayMs = 250;
const delayMaxMs = 5_000;
const logEveryMs = 60_000;
/** A longer attempt may be waiting for a silent server or for another process's migration. */
const patienceMs = 1_000;

interface UntilReachable {
  url: string;
  log: Log;
  /** Ends the wait; the promise then rejects with its reason. */
  signal: AbortSignal;
  /** Called after each transient failure, and when an attempt has taken a second. A rejection ends the wait. */
  onWaiting: () => Promise<void>;
}

/** Retries transient failures (Postgres starts or is busy) every 0.25 to 5 seconds. Throws StartFault for others. */
export async function untilReachable<Result>(
  attempt: () => Promise<Result>,
  options: UntilReachable,
): Promise<Result> {
  const failed = Promise.withResolvers<never>();
  const timer = setTimeout(() => void options.onWaiting().catch(failed.reject), patienceMs);
  try {
    return await Promise.race([tryAgainAndAgain(attempt, options), failed.promise]);
  } finally {
    clearTimeout(timer);
  }
}

async function tryAgainAndAgain<Result>(
  attempt: () => Promise<Result>,
  { url, log, signal, onWaiting }: UntilReachable,
): Promise<Result> {
  let loggedAtMs = -Infinity;
  for (let failures = 0; ; failures += 1) {
    try {
      return await attempt();
    } catch (error) {
      signal.throwIfAborted();
      const fault = toStartFault(error, url);
      if (fault.permanent) throw fault;
      if (performance.now() - loggedAtMs > logEveryMs) {
        log.warn({ event: 'database.unreachable' }, `${fault.message} Trying again until it works.`);
        loggedAtMs = performance.now();
      }
      await onWaiting();
      const delayMs = Math.min(delayMaxMs, firstDelayMs * 2 ** failures);
      await delay(delayMs * (0.75 + Math.random() / 4), undefined, { signal });
    }
  }
}

import { unavailable } from '../errors.ts';
import type { DatabaseHealth } from './databaseHealth.ts';

/** How long a change may take: a person waits, and a browser gives up later (client/forms/lead/leadApi.ts). */
const writeTimeoutMs = 8_000;
/** What remains for a change once the process is to stop. The server drains a little longer (http/closeGracefully.ts). */
const stoppingTimeoutMs = 4_000;
/** How long anything that the public reads may take. */
const readTimeoutMs = 1_800;

/** How soon whoever waits learns that the database went down or the process is to stop. */
const lookEveryMs = 200;

type Health = Pick<DatabaseHealth, 'state' | 'stopping'>;

interface Limit {
  timeoutMs: number;
  /** Given, the wait ends as soon as the database is known to be down, and four seconds after the process is to stop. */
  health?: Health;
}

/** Throws SERVICE_UNAVAILABLE while the database is known to be down. */
function refuseWhileDown(health: Health): void {
  if (health.state() === 'down') throw unavailable();
}

/**
 * Resolves or rejects as the work does, or throws SERVICE_UNAVAILABLE after `timeoutMs`. The work itself goes on: a change may still be
 * committed after that, so whoever repeats it must do so under the same key.
 */
export async function withTimeout<Result>(
  work: Promise<Result>,
  { timeoutMs, health }: Limit,
): Promise<Result> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(unavailable()), timeoutMs);
  let stopsAtMs = Infinity;
  const look = (): void => {
    if (health?.stopping?.aborted === true)
      stopsAtMs = Math.min(stopsAtMs, performance.now() + stoppingTimeoutMs);
    if (health?.state() === 'down' || performance.now() >= stopsAtMs) reject(unavailable());
  };
  if (health !== undefined) look();
  const watch = health === undefined ? undefined : setInterval(look, lookEveryMs);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
    clearInterval(watch);
  }
}

/**
 * All that a public read asks of the database, however many queries: within `readTimeoutMs`, of which `waitedMs` have passed already. The work
 * itself must not answer: it may come to its end later.
 */
export function readAllWithTimeout<Result>(work: () => Promise<Result>, waitedMs = 0): Promise<Result> {
  return withTimeout(work(), { timeoutMs: readTimeoutMs - waitedMs });
}

/** The work of a change: refused immediately while the database is known to be down, else within `writeTimeoutMs` and until it goes down. */
export function writeWithTimeout<Result>(health: Health, work: () => Promise<Result>): Promise<Result> {
  refuseWhileDown(health);
  return withTimeout(work(), { timeoutMs: writeTimeoutMs, health });
}

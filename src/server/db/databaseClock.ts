import type { Log } from '../log.ts';
import type { Sql } from './connect.ts';

const syncEveryMs = 30_000;
/** A smaller difference may come from the network. */
const toleranceMs = 1_000;

interface ClockOptions {
  sql: Sql;
  log: Log;
  /** This machine's clock, in milliseconds since 1970. */
  systemNowMs?: () => number;
}

/** This machine's clock, corrected by its difference to the database's every 30 seconds; 0 until the first `sync`. */
export function createDatabaseClock({ sql, log, systemNowMs = Date.now }: ClockOptions) {
  let offsetMs = 0;

  /** Measures the difference of this machine's clock. Throws the driver's errors. */
  async function sync(): Promise<void> {
    const sentMs = systemNowMs();
    const sentAt = performance.now();
    const [row] = await sql<
      { ms: number }[]
    >`select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms`;
    const tookMs = performance.now() - sentAt;
    if (row === undefined) return;
    const foundMs = row.ms - (sentMs + tookMs / 2);
    // A slow response is inaccurate: its time may be anywhere within the wait.
    if (Math.abs(foundMs - offsetMs) <= toleranceMs + tookMs / 2) return;
    offsetMs = Math.abs(foundMs) <= toleranceMs + tookMs / 2 ? 0 : foundMs;
    log.warn(
      { event: 'clock.differs', offsetSeconds: Math.round(offsetMs / 1_000) },
      "this machine's clock differs from the database's; the database's is used",
    );
  }

  const timer = setInterval(() => {
    sync().catch((error: unknown) =>
      log.debug({ event: 'clock.check-failed', err: error }, 'the clock is compared again later'),
    );
  }, syncEveryMs);
  timer.unref();
  return {
    /** The database's time, to a second, so that due times of different processes come from one clock. */
    now: () => new Date(systemNowMs() + offsetMs),
    sync,
    stop: (): void => clearInterval(timer),
  };
}

import { setTimeout as delay } from 'node:timers/promises';
import { Cron } from 'croner';
import { advisoryLocks } from '../db/advisoryLocks.ts';
import type { Sql } from '../db/connect.ts';
import { openSideConnection } from '../db/openSideConnection.ts';
import { withTimeout } from '../db/withTimeout.ts';
import type { Log } from '../log.ts';
import { maintenanceFailures } from '../metrics.ts';

const lockTimeoutMs = 10_000;

/** Work that one of all worker processes runs by the clock. */
export interface Schedule {
  name: string;
  /** Five fields, in UTC: `30 3 * * *` is half past three every night. */
  cron: string;
  /** An error is logged, and the next run comes at its time. The signal says that the process stops. */
  run: (signal: AbortSignal) => Promise<void>;
}

interface Options {
  sql: Sql;
  log: Log;
  schedules: readonly Schedule[];
}

/**
 * Runs schedules in one process of many: the one whose connection has the session lock, for as long as it lives. When
 * it dies, its runs come at their next time in another. A run that is still in progress at its next time is skipped.
 */
export async function startSchedules({ sql, log, schedules }: Options) {
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  // The queue's health counts the workers by these connections.
  const { sql: own } = openSideConnection(sql, {
    purpose: 'worker',
    max: 1,
    fetch_types: false,
    watch: false,
  });

  async function isOurs(): Promise<boolean> {
    const lock = own<
      { locked: boolean }[]
    >`select pg_try_advisory_lock(${advisoryLocks.schedules}) as locked`;
    const [row] = await withTimeout(lock, { timeoutMs: lockTimeoutMs });
    return row?.locked === true;
  }

  async function run({ name, run: work }: Schedule): Promise<void> {
    try {
      if (await isOurs()) await work(stopping.signal);
    } catch (error) {
      maintenanceFailures.inc({ task: name });
      log.error({ event: 'schedule.failed', err: error, schedule: name }, 'a scheduled run failed');
    }
  }

  // So that the first failure is an increase.
  for (const { name } of schedules) maintenanceFailures.inc({ task: name }, 0);
  const timers = schedules.map(
    (schedule) =>
      new Cron(schedule.cron, { timezone: 'UTC', protect: true, unref: true }, async () => {
        const current = run(schedule);
        running.add(current);
        await current;
        running.delete(current);
      }),
  );
  /** Starts no more runs, and waits for those in progress at most this long. */
  const stop = async (maxMs: number): Promise<void> => {
    for (const timer of timers) timer.stop();
    stopping.abort();
    await Promise.race([Promise.all(running), delay(maxMs, undefined, { ref: false })]);
    await own.end({ timeout: 1 });
  };
  try {
    await isOurs();
  } catch (error) {
    await stop(0);
    throw error;
  }
  return { stop };
}

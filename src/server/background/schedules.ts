import { setTimeout as delay } from 'node:timers/promises';
import type { Job, PgBoss } from 'pg-boss';
import type { Log } from '../log.ts';

/** Work that comes again by the clock, in one process of however many there are. */
export interface Schedule {
  /** Also its queue's name. */
  name: string;
  /** Five fields, in UTC: `30 3 * * *` is half past three every night. */
  cron: string;
  /** One that throws is logged; the next run comes at its time. The signal tells that the process stops: the run begins anew in another. */
  run: (signal: AbortSignal) => Promise<void>;
}

/** While a run waits or is under way, those that come due are left out. One whose process died is given out again. */
const rules = {
  policy: 'exclusive',
  expireInSeconds: 4 * 3600,
  heartbeatSeconds: 30,
  retryLimit: 2,
} as const;
const pollSeconds = 5;

/**
 * Sets the clock for these and takes part in their runs; what was scheduled before and isn't any more is forgotten. Returns what waits, that long
 * at most, for the runs that boss.stop() has told to stop.
 */
export async function startSchedules(
  boss: PgBoss,
  schedules: readonly Schedule[],
  log: Log,
): Promise<(graceMs: number) => Promise<void>> {
  const running = new Set<Promise<void>>();
  const work = async ({ name, run }: Schedule, signal: AbortSignal): Promise<void> => {
    const over = run(signal).catch((error: unknown) =>
      log.error({ err: error, schedule: name }, 'a scheduled run failed'),
    );
    running.add(over);
    await over;
    running.delete(over);
  };
  const names = new Set(schedules.map(({ name }) => name));
  for (const { name } of await boss.getSchedules()) if (!names.has(name)) await boss.unschedule(name);
  for (const schedule of schedules) {
    await boss.createQueue(schedule.name, rules);
    await boss.schedule(schedule.name, schedule.cron);
    await boss.work(schedule.name, { pollingIntervalSeconds: pollSeconds }, async ([job]: Job[]) => {
      if (job !== undefined) await work(schedule, job.signal);
    });
  }
  return async (graceMs) => {
    await Promise.race([Promise.all(running), delay(graceMs, undefined, { ref: false })]);
  };
}

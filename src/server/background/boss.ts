import { PgBoss } from 'pg-boss';
import type { Sql } from '../db/connect.ts';
import type { Log } from '../log.ts';
import { openBossDatabase } from './bossDatabase.ts';
import { jobsSchema, superviseSeconds } from './queues.ts';

export interface RunningBoss {
  boss: PgBoss;
  /** What is in hand must have been finished or given back before. */
  stop: () => Promise<void>;
}

interface BossOptions {
  /** The pool whose address and credentials are used. */
  sql: Sql;
  log: Log;
  /** Looks after jobs whose process died, old ones and schedules: a worker does, who only installs doesn't. */
  works: boolean;
}

/** Starts pg-boss, making or updating its tables first. Several processes may do so at once. */
export async function startBoss({ sql, log, works }: BossOptions): Promise<RunningBoss> {
  const db = openBossDatabase(sql);
  const boss = new PgBoss({
    db,
    schema: jobsSchema,
    supervise: works,
    schedule: works,
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: superviseSeconds,
    maintenanceIntervalSeconds: 600,
  });
  boss.on('error', (error) =>
    log.warn({ err: error }, 'the job queue failed at something; it is tried again'),
  );
  const stop = async (): Promise<void> => {
    await boss.stop({ graceful: false });
    await db.close();
  };
  try {
    await boss.start();
    return { boss, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

import pgBoss from 'pg-boss/package.json' with { type: 'json' };
import type { Sql } from '../db/connect.ts';
import type { Log } from '../log.ts';
import { startBoss } from './boss.ts';
import { jobsSchema, queueNames, queueRules } from './queues.ts';

/** What the schema's comment says once it is as this version of pg-boss and these queues want it. */
const edition = JSON.stringify({ tables: pgBoss.pgboss.schema, queues: queueNames, rules: queueRules });

/** Makes or updates pg-boss's tables and our queues in them; called under migrate()'s lock. What is up to date costs one question. */
export async function installJobs(sql: Sql, log: Log): Promise<void> {
  const [found] = await sql<
    { edition: string | null }[]
  >`select obj_description(to_regnamespace(${jobsSchema}), 'pg_namespace') as edition`;
  if (found?.edition === edition) return;
  const { boss, stop } = await startBoss({ sql, log, works: false });
  try {
    for (const name of queueNames) {
      await boss.createQueue(name, queueRules);
      await boss.updateQueue(name, queueRules);
    }
  } finally {
    await stop();
  }
  await sql.unsafe(`comment on schema ${jobsSchema} is '${edition}'`);
}

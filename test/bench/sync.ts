import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { connect, type Connection } from '#server/db/connect.ts';
import { createToken } from '#server/features/auth/tokens.ts';
import { syncRunOutcome } from '#shared/admin/sync.ts';
import { type ServerProcess, startServer } from '#test/support/serverProcess.ts';
import type { Figure } from './figure.ts';

const sampleEveryMs = 20;

interface Measured {
  rowsPerSecond: number;
  growthMegabytes: number;
}

async function wordpressSite(count: number): Promise<{ url: string } & AsyncDisposable> {
  const child = fork(new URL('wordpressServer.ts', import.meta.url), { execArgv: [] });
  child.send({ count });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      const exited = once(child, 'exit');
      child.kill();
      await exited;
    },
  };
}

/** A whole run by POST /api/sync; `expected` is what it must say of the clinics. */
async function run(
  server: ServerProcess,
  token: string,
  count: number,
  expected: 'created' | 'unchanged',
): Promise<Measured> {
  const before = server.residentMegabytes();
  let most = before;
  const sampling = setInterval(() => {
    most = Math.max(most, server.residentMegabytes());
  }, sampleEveryMs);
  const startedAt = performance.now();
  const answer = await fetch(`http://localhost:${server.port}/api/sync?kind=full`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  });
  const seconds = (performance.now() - startedAt) / 1000;
  clearInterval(sampling);
  const outcome = syncRunOutcome.parse(await answer.json());
  if (!outcome.success) throw new Error(outcome.error);
  if (outcome.run[expected] !== count)
    throw new Error(`${outcome.run[expected]} of ${count} providers are ${expected}`);
  return { rowsPerSecond: count / seconds, growthMegabytes: most - before };
}

/** By the table's own statistics, which a session that ends has added to them. */
async function writtenRows({ sql }: Connection): Promise<number> {
  const sessions = () => sql`select 1 from pg_stat_activity where application_name like 'sync of %'`;
  while ((await sessions()).length > 0) await delay(100);
  const [row] = await sql<{ n: string }[]>`
    select n_tup_ins + n_tup_upd + n_tup_del as n from pg_stat_user_tables where relname = 'providers'`;
  return Number(row?.n);
}

/**
 * So many providers from a WordPress-shaped site on this machine, into an empty database and once more: rates, rows
 * written, memory.
 */
export async function providerSync(url: string, count: number): Promise<Figure[]> {
  await using site = await wordpressSite(count);
  await using server = await startServer({ DATABASE_URL: url, WORDPRESS_URL: site.url });
  const connection = connect(url, { applicationName: 'bench-sync', max: 1 });
  try {
    const { token } = await createToken(connection.db, {
      name: 'bench',
      scopes: ['sync:run'],
      createdBy: 'bench',
      now: new Date(),
    });
    const first = await run(server, token, count, 'created');
    const written = await writtenRows(connection);
    const second = await run(server, token, count, 'unchanged');
    const size = count.toLocaleString('en');
    return [
      {
        name: `${size} providers synced for the first time`,
        measured: first.rowsPerSecond,
        baseline: null,
        unit: 'rows/s',
        against: 'a WordPress-shaped site in a process of its own on this machine',
        bar: { of: 'measured', sign: '>=', value: 5_000 },
      },
      {
        name: `${size} unchanged providers synced`,
        measured: second.rowsPerSecond,
        baseline: 5_000,
        unit: 'rows/s',
        against: 'the bar of a first run',
        bar: { of: 'ratio', sign: '>=', value: 3 },
      },
      {
        name: `rows written for ${size} unchanged providers`,
        measured: (await writtenRows(connection)) - written,
        baseline: null,
        unit: 'rows',
        against: 'the statistics of the table itself',
        bar: { of: 'measured', sign: '<=', value: 0 },
      },
      {
        name: `memory for a sync of ${size} providers`,
        measured: Math.max(first.growthMegabytes, second.growthMegabytes),
        baseline: null,
        unit: 'MB',
        against:
          'the most the server’s resident memory grew in one of the two runs, the first from a fresh start',
        bar: { of: 'measured', sign: '<=', value: 128 },
      },
    ];
  } finally {
    await connection.close();
  }
}

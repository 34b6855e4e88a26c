import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { startServer } from '#test/support/serverProcess.ts';
import { testDb, type TestDb } from '#test/support/testDb.ts';
import { startWorkerProcess } from '#test/support/workerProcess.ts';

/** Open connections of this product's processes by name, without the ids of the processes. */
async function listConnections({ sql }: TestDb): Promise<Record<string, number>> {
  const rows = await sql<{ name: string; count: number }[]>`
    select regexp_replace(application_name, ' #.*', '') as name, count(*)::int as count from pg_stat_activity
    where datname = current_database() and application_name like '%clinic-leads-%' group by 1`;
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}

/** While tables that the processes read are locked, so that they use as many connections as they may. */
async function whileLocked({ sql }: TestDb, work: () => Promise<void>): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`lock table api_tokens, deliveries, leads in access exclusive mode`;
    await work();
  });
}

/** Requests that wait for the lock, more than the pool has connections: each looks for its token. */
function askALot(port: number): Promise<unknown> {
  const ask = (): Promise<Response> =>
    fetch(`http://127.0.0.1:${port}/api/leads`, {
      headers: { authorization: `Bearer mpx_${randomBytes(32).toString('base64url')}` },
    });
  return Promise.allSettled(Array.from({ length: 30 }, ask));
}

test('a busy process opens its pool, a schedule and a listener connection', async () => {
  await using database = await testDb();
  await using server = await startServer({ DATABASE_URL: database.url, DATABASE_POOL_MAX: '6' });
  const asking: Promise<unknown>[] = [];
  await whileLocked(database, async () => {
    asking.push(askALot(server.port));
    await expect.poll(async () => (await listConnections(database))['clinic-leads-web']).toBe(6);
    expect(await listConnections(database)).toMatchObject({
      'clinic-leads-web': 6,
      'listener of clinic-leads-web': 1,
      'worker of clinic-leads-web': 1,
    });
  });
  await Promise.all(asking);
});

/** Of Postgres' default: `max_connections` less `superuser_reserved_connections`. */
const available = 100 - 3;
/** For the release command, scripts and an operator's own sessions. */
const reserve = 5;
/** Short checks of a pool that doesn't respond, and a provider sync, which one process runs at a time. */
const checks = 1;
const sync = 1;

test('ten web processes and two workers fit the default max_connections', async () => {
  await using database = await testDb();
  const env = { DATABASE_URL: database.url };
  await using web = await startServer({ ...env, WORKER: 'off' });
  await using worker = await startWorkerProcess(env);
  const asking: Promise<unknown>[] = [];
  await whileLocked(database, async () => {
    asking.push(askALot(web.port));
    await expect.poll(async () => (await listConnections(database))['clinic-leads-web']).toBe(5);
    const found = await listConnections(database);
    expect(found).toMatchObject({
      'clinic-leads-web': 5,
      'listener of clinic-leads-web': 1,
      'listener of clinic-leads-worker': 1,
      'worker of clinic-leads-worker': 1,
    });
    expect(found['clinic-leads-worker']).toBeLessThanOrEqual(5);
  });
  await Promise.all(asking);
  expect(worker.ended()).toBeNull();
  const ofWeb = 5 + 1 + checks;
  const ofWorker = 5 + 2 + checks + sync;
  expect(10 * ofWeb + 2 * ofWorker).toBeLessThanOrEqual(available - reserve);
});

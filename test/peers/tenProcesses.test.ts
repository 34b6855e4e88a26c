import { expect, test } from 'vitest';
import { connect } from '#server/db/connect.ts';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { startRestartablePostgres } from '#test/support/restartablePostgres.ts';
import { startServer } from '#test/support/serverProcess.ts';
import { startWorkerProcess } from '#test/support/workerProcess.ts';

const webProcesses = 10;
const workers = 2;

test('ten web processes and two workers, all busy, fit max_connections=100', async () => {
  await using postgres = await startRestartablePostgres();
  await using running = new AsyncDisposableStack();
  const env = { DATABASE_URL: postgres.url };
  // The first one migrates.
  const web = [running.use(await startServer({ ...env, WORKER: 'off' }))];
  while (web.length < webProcesses) web.push(running.use(await startServer({ ...env, WORKER: 'off' })));
  const background = await Promise.all(Array.from({ length: workers }, () => startWorkerProcess(env)));
  for (const worker of background) running.use(worker);

  const own = connect(postgres.url, { applicationName: 'test', max: 2 });
  running.defer(() => own.close());
  const { sql, db } = own;
  const [setting] = await sql<{ max: string }[]>`select current_setting('max_connections') as max`;
  expect(setting?.max).toBe('100');
  await insertProvider(db, { zipCode: '80202' });

  const readCount = async (name: string): Promise<number> => {
    const [row] = await sql<{ count: number }[]>`
      select count(*)::int as count from pg_stat_activity where application_name like ${`${name} #%`}`;
    return row?.count ?? 0;
  };
  const post = async (port: number, index: number): Promise<number> => {
    const response = await fetch(`http://127.0.0.1:${port}/api/leads`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(leadInput({ email: `busy${index}@example.com`, phone: `30355${10_000 + index}` })),
    });
    return response.status;
  };
  // Locked tables make every process use as many connections as it may.
  const posted: Promise<number>[] = [];
  await sql.begin(async (tx) => {
    await tx`lock table providers, deliveries in access exclusive mode`;
    for (const [at, { port }] of web.entries())
      for (let index = 0; index < 3; index++) posted.push(post(port, at * 3 + index));
    const lists = web.flatMap(({ port }) =>
      Array.from({ length: 20 }, () => fetch(`http://127.0.0.1:${port}/api/providers?limit=1&near=80202`)),
    );
    void Promise.allSettled(lists);
    await expect.poll(() => readCount('clinic-leads-web')).toBe(webProcesses * 5);
  });
  expect(await Promise.all(posted)).toEqual(posted.map(() => 201));
  expect([
    await readCount('listener of clinic-leads-web'),
    await readCount('listener of clinic-leads-worker'),
  ]).toEqual([webProcesses, workers]);
  const [total] = await sql<{ count: number }[]>`
    select count(*)::int as count from pg_stat_activity where backend_type = 'client backend'`;
  // Postgres keeps three for superusers; five are left for the release command, scripts and an operator.
  expect(total?.count).toBeLessThanOrEqual(100 - 3 - 5);
  await expect
    .poll(async () => {
      const [finished] = await sql<{ count: number }[]>`
        select count(*)::int as count from deliveries where channel = 'provider-email' and state = 'delivered'`;
      return finished?.count;
    })
    .toBe(posted.length);
  for (const process of [...web, ...background]) expect(process.ended()).toBeNull();
});

import { describe, expect, test, vi } from 'vitest';
import { queueRules, superviseSeconds } from '#server/background/queues.ts';
import { concurrency } from '#server/background/worker.ts';
import { crmEnvironment, insertDelivery } from '#test/support/outboxSetup.ts';
import { leadInput } from '#test/support/factories.ts';
import { answers, hangs, type Receiver, startReceiver, takes } from '#test/support/receiver.ts';
import { testApp } from '#test/support/testApp.ts';
import { testDb, type TestDb } from '#test/support/testDb.ts';
import { startWorkerProcess, type WorkerProcess } from '#test/support/workerProcess.ts';
import { insertLeads } from '#test/support/leadRows.ts';

function startWorkerOn(database: TestDb, receiver: Receiver): Promise<WorkerProcess> {
  const secrets = { SECRET_KEYS: 'worker-test-key-worker-test-key-01' };
  return startWorkerProcess({ DATABASE_URL: database.url, ...secrets, ...crmEnvironment(receiver) });
}

async function queue(database: TestDb, count: number): Promise<string[]> {
  const leads = await insertLeads(
    database.db,
    Array.from({ length: count }, () => ({})),
  );
  return Promise.all(
    leads.map(({ id }) => insertDelivery(database, { leadId: id, nextAttemptAt: new Date() })),
  );
}

async function states({ sql }: TestDb): Promise<Record<string, number>> {
  const rows = await sql<
    { state: string; n: string }[]
  >`select state, count(*) as n from deliveries group by state`;
  return Object.fromEntries(rows.map(({ state, n }) => [state, Number(n)]));
}

test('a lead that is sent wakes the worker of its process, which brings it to the CRM', async () => {
  await using receiver = await startReceiver(answers(200, '{"id":"c-1"}'));
  // By itself it would look again in an hour.
  await using app = await testApp({ env: crmEnvironment(receiver), worker: { pollMs: 3_600_000 } });
  expect((await app.post('/api/leads', leadInput())).status).toBe(201);
  await expect.poll(() => receiver.received.length).toBe(1);
  await expect
    .poll(async () => (await app.sql`select 1 from leads where crm_sync_status = 'success'`).length)
    .toBeGreaterThan(0);
  await expect.poll(() => app.sql`select 1 from pgboss.job where name = 'crm'`).toHaveLength(0);
});

test('two workers share the queue, and each delivery is made once', async () => {
  await using database = await testDb();
  // More than one of them has hands for: nobody is answered before both have begun.
  const both = Promise.withResolvers<void>();
  await using receiver = await startReceiver((response, _, nth) => {
    if (nth > concurrency) both.resolve();
    void both.promise.then(() => response.end());
  });
  const env = crmEnvironment(receiver);
  await using first = await testApp({ env, database, worker: true });
  await using second = await testApp({ env, database, worker: true });
  const ids = await queue(database, 200);
  for (const { services } of [first, second]) services.jobs.wake('crm');
  await expect.poll(() => states(database)).toEqual({ delivered: 200 });
  expect(receiver.received.map(({ key }) => key).toSorted()).toEqual(ids.toSorted());
});

test('the job of a process that died is given out again within a minute', () => {
  // Looked for at most twice the interval after it is over: somebody else may have just begun to.
  expect(queueRules.expireInSeconds + 2 * superviseSeconds + queueRules.retryDelay).toBeLessThanOrEqual(60);
});

/** As if the killed one's time had passed: its claims and its jobs are as old as what is given out again. */
async function age({ sql }: TestDb): Promise<void> {
  const passed = `${queueRules.expireInSeconds} seconds`;
  await sql`update deliveries set leased_until = leased_until - ${passed}::interval where leased_until is not null`;
  await sql`update pgboss.job set started_on = started_on - ${passed}::interval where state = 'active'`;
}

// Side by side, as each waits for its worker's periods.
describe.concurrent('a worker in a process of its own', { timeout: 120_000 }, () => {
  test('that is killed loses nothing: what it had in hand comes back once its time is over, with the same key', async () => {
    await using database = await testDb();
    await using receiver = await startReceiver(hangs);
    const ids = await queue(database, 30);
    {
      await using killed = await startWorkerOn(database, receiver);
      // All its hands are at it: none is between taking a delivery and sending it.
      await vi.waitUntil(() => receiver.received.length === concurrency, { timeout: 30_000 });
      await killed.kill('SIGKILL');
    }
    const inHand = new Set(receiver.received.map(({ key }) => key));
    expect(await states(database)).toEqual({ queued: 30 });
    await age(database);
    receiver.become(takes);
    await using next = new AsyncDisposableStack();
    next.use(await startWorkerOn(database, receiver));
    await vi.waitUntil(async () => (await states(database))['delivered'] === 30, { timeout: 60_000 });
    const keys = receiver.received.map(({ key }) => key);
    expect(new Set(keys)).toEqual(new Set(ids));
    // Twice is only what the killed one had begun.
    expect(keys).toHaveLength(30 + inHand.size);
    const interrupted =
      await database.sql`select 1 from delivery_attempts where answer like 'The process that made this try%'`;
    expect(interrupted).toHaveLength(inHand.size);
  });

  test('that is stopped gives back what it has in hand, and another makes it at once', async () => {
    await using database = await testDb();
    await using receiver = await startReceiver(hangs);
    const [id] = await queue(database, 1);
    await using stopped = await startWorkerOn(database, receiver);
    await vi.waitUntil(() => receiver.received.length === 1, { timeout: 30_000 });
    await stopped.kill('SIGTERM');
    const [row] = await database.sql`select state, attempts, attempts_before_round, leased_until from deliveries`;
    expect(row).toEqual({ state: 'queued', attempts: 1, attempts_before_round: 1, leased_until: null });
    receiver.become(takes);
    await using next = new AsyncDisposableStack();
    next.use(await startWorkerOn(database, receiver));
    // Not expect.poll(), which must know which of the two tests asks.
    await vi.waitUntil(async () => (await states(database))['delivered'] === 1);
    expect(receiver.received.map(({ key }) => key)).toEqual([id, id]);
  });
});

import { describe, expect, test } from 'vitest';
import { slotsPerChannel } from '#server/features/outbox/allocateSlots.ts';
import { startOutboxWorker } from '#server/features/outbox/outboxWorker.ts';
import { readDeliveryBacklog, leaseDue, leaseEnd } from '#server/features/outbox/lease.ts';
import { crmEnvironment, insertDelivery } from '#test/support/outboxSetup.ts';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { answers, hangs, type Receiver, startReceiver, takes } from '#test/support/receiver.ts';
import { signedIn } from '#test/support/staff.ts';
import { testApp } from '#test/support/testApp.ts';
import { testDb, type TestDb } from '#test/support/testDb.ts';
import { startWorkerProcess, type WorkerProcess } from '#test/support/workerProcess.ts';
import { insertLeads } from '#test/support/leadRows.ts';
import { meets } from '#test/support/meets.ts';
import { waitUntil } from '#test/support/waitFor.ts';

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

test('a stored lead wakes the worker of its process, which delivers it', async () => {
  meets('D.people.08 D.deliveries.11');
  await using receiver = await startReceiver(answers(200, '{"id":"c-1"}'));
  // Without a wake-up, it would poll in an hour.
  await using app = await testApp({ env: crmEnvironment(receiver), worker: { pollMs: 3_600_000 } });
  expect((await app.post('/api/leads', leadInput())).status).toBe(201);
  await expect.poll(() => receiver.received.length).toBe(1);
  await expect
    .poll(async () => (await app.sql`select 1 from leads where crm_sync_status = 'success'`).length)
    .toBeGreaterThan(0);
});

test('while other work has priority, only four deliveries are attempted at once', async () => {
  await using database = await testDb();
  const held: (() => void)[] = [];
  let mustYield = true;
  let mayAnswer = false;
  await using receiver = await startReceiver((response) => {
    const answer = (): unknown => response.end('{"id":"c-1"}');
    if (mayAnswer) answer();
    else held.push(answer);
  });
  await using app = await testApp({ env: crmEnvironment(receiver), database, worker: false });
  await queue(database, 40);
  const worker = startOutboxWorker(app.services, { mustYield: () => mustYield, pollMs: 20 });
  await expect.poll(() => held.length).toBe(4);
  // Its next lease takes nothing, because all four are in progress.
  for (const answer of held.splice(0)) answer();
  await expect.poll(() => held.length).toBe(4);
  mustYield = false;
  await expect.poll(() => held.length).toBe(slotsPerChannel);
  mayAnswer = true;
  for (const answer of held.splice(0)) answer();
  await expect.poll(() => states(database)).toEqual({ delivered: 40 });
  await worker.stop(0);
});

test('two workers share the queue, and each delivery is attempted once', async () => {
  meets('D.people.09 D.people.19 D.deliveries.04');
  await using database = await testDb();
  // More than the slots of one worker: no response before both have started.
  const both = Promise.withResolvers<void>();
  await using receiver = await startReceiver((response, _, nth) => {
    if (nth > slotsPerChannel) both.resolve();
    void both.promise.then(() => response.end());
  });
  const env = crmEnvironment(receiver);
  await using first = await testApp({ env, database, worker: true });
  await using second = await testApp({ env, database, worker: true });
  const ids = await queue(database, 200);
  for (const { services } of [first, second]) services.wakeSignal.wake();
  await expect.poll(() => states(database)).toEqual({ delivered: 200 });
  expect(receiver.received.map(({ key }) => key).toSorted()).toEqual(ids.toSorted());
});

test('a lead is answered while the CRM and the mail server never answer', async () => {
  meets('D.leads.08 D.leads.09');
  await using receiver = await startReceiver(hangs);
  await using silent = await startReceiver(hangs);
  const smtp = { SMTP_URL: silent.url.replace('http:', 'smtp:').replace(/\/$/, '') };
  await using app = await testApp({ env: { ...crmEnvironment(receiver), ...smtp }, worker: true });
  await insertProvider(app.db, { zipCode: '80202' });
  const send = () => app.post('/api/leads', leadInput({ zip_code: '80202' }));
  expect((await send()).status).toBe(201);
  await expect.poll(() => receiver.received.length).toBe(1);
  // The first lead's attempts are in progress and stay so.
  expect((await send()).status).toBe(201);
  expect(await app.sql`select 1 from leads`).toHaveLength(2);
  expect(await app.sql`select 1 from deliveries where state in ('delivered', 'failed')`).toEqual([]);
});

test('a delivery that another worker is leasing is skipped, and nobody waits for it', async () => {
  meets('D.deliveries.05');
  await using database = await testDb();
  const now = new Date();
  const ids = await queue(database, 3);
  const [locked = '', ...others] = ids;
  const lease = () =>
    leaseDue(database.db, { slots: new Map([['crm', 10]]), now: new Date(now.getTime() + 60_000) });
  await database.sql.begin(async (other) => {
    await other`select 1 from deliveries where id = ${locked} for update`;
    expect((await lease()).map(({ id }) => id).toSorted()).toEqual(others.toSorted());
  });
  expect((await lease()).map(({ id }) => id)).toEqual([locked]);
});

test('the lease of a process that died ends within half a minute', () => {
  meets('D.deliveries.06');
  expect(leaseEnd(new Date(0)).getTime()).toBeLessThanOrEqual(30_000);
});

/** Ends the leases of a killed process. */
async function endLeases({ sql }: TestDb): Promise<void> {
  await sql`update deliveries set leased_until = now(), next_attempt_at = now() where leased_until is not null`;
}

// Concurrent, because each test waits for its worker to start.
describe.concurrent('a worker in a process of its own', () => {
  test('that is killed loses nothing: its deliveries are repeated with the same key', async () => {
    meets('D.deliveries.06 D.deliveries.09');
    await using database = await testDb();
    await using receiver = await startReceiver(hangs);
    const ids = await queue(database, 30);
    {
      await using killed = await startWorkerOn(database, receiver);
      // All slots are in use, so no delivery is leased without a request.
      await waitUntil(() => receiver.received.length === slotsPerChannel);
      await killed.kill('SIGKILL');
    }
    const interruptedKeys = new Set(receiver.received.map(({ key }) => key));
    expect(await states(database)).toEqual({ queued: 30 });
    await endLeases(database);
    receiver.become(takes);
    await using next = new AsyncDisposableStack();
    next.use(await startWorkerOn(database, receiver));
    await waitUntil(async () => (await states(database))['delivered'] === 30);
    const keys = receiver.received.map(({ key }) => key);
    expect(new Set(keys)).toEqual(new Set(ids));
    // Only the attempts of the killed worker are repeated.
    expect(keys).toHaveLength(30 + interruptedKeys.size);
    const interrupted =
      await database.sql`select 1 from delivery_attempts where answer = 'The process ended during this attempt.'`;
    expect(interrupted).toHaveLength(interruptedKeys.size);
  });

  test('that is stopped interrupts its attempts, and another worker repeats them', async () => {
    await using database = await testDb();
    await using receiver = await startReceiver(hangs);
    const [id] = await queue(database, 1);
    await using stopped = await startWorkerOn(database, receiver);
    await waitUntil(() => receiver.received.length === 1);
    await stopped.kill('SIGTERM');
    const [row] =
      await database.sql`select state, attempts, attempts_before_round, leased_until from deliveries`;
    expect(row).toEqual({ state: 'queued', attempts: 1, attempts_before_round: 1, leased_until: null });
    receiver.become(takes);
    await using next = new AsyncDisposableStack();
    next.use(await startWorkerOn(database, receiver));
    // Not expect.poll(), which mixes up concurrent tests.
    await waitUntil(async () => (await states(database))['delivered'] === 1);
    expect(receiver.received.map(({ key }) => key)).toEqual([id, id]);
  });
});

test('worker and dashboard leave out deliveries whose channel only a later version has', async () => {
  await using receiver = await startReceiver(answers(200, '{"id":"c-1"}'));
  await using app = await testApp({ env: crmEnvironment(receiver) });
  const { database } = app;
  const [later = '', known = ''] = await queue(database, 2);
  await database.sql`alter table deliveries drop constraint deliveries_channel_check`;
  await database.sql`update deliveries set channel = 'later-channel' where id = ${later}`;
  let rounds = 0;
  const worker = startOutboxWorker(app.services, { pollMs: 1, onRound: () => (rounds += 1) });
  await expect.poll(() => states(database)).toEqual({ queued: 1, delivered: 1 });
  const before = rounds;
  await expect.poll(() => rounds).toBeGreaterThan(before + 1);
  await worker.stop(0);
  const rows = await database.sql`select id, state, attempts from deliveries order by id = ${known}`;
  expect([...rows]).toEqual([
    { id: later, state: 'queued', attempts: 0 },
    { id: known, state: 'delivered', attempts: 1 },
  ]);
  const owner = await signedIn(app, 'owner');
  const read = async (path: string): Promise<unknown> => {
    const answer = await app.get(path, owner);
    expect([path, answer.status]).toEqual([path, 200]);
    return answer.json();
  };
  expect(await read('/api/deliveries')).toMatchObject({ deliveries: [{ id: known }], total: 1 });
  const [lead] = await database.sql`select lead_id::int as id from deliveries where id = ${later}`;
  await read(`/api/leads/${lead?.['id']}`);
  // Not counted as a webhook's either.
  expect(await readDeliveryBacklog(app.db, new Date())).not.toContainEqual(
    expect.objectContaining({ queued: 1 }),
  );
  const health = async () => (await app.get('/trpc/admin.deliveries.queueHealth', owner)).json();
  expect(await health()).toMatchObject({ result: { data: { queued: 0, oldestDueSeconds: null } } });
  await database.sql`
    update deliveries set state = 'held', reason = 'Later.', next_attempt_at = null where id = ${later}`;
  expect(await health()).toMatchObject({ result: { data: { held: [] } } });
});

import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { crmEnvironment, insertDelivery } from '#test/support/outboxSetup.ts';
import { insertLead } from '#test/support/leadRows.ts';
import { productionEnvironment } from '#test/support/productionEnvironment.ts';
import { hangs, startReceiver, takes } from '#test/support/receiver.ts';
import { freePort, launchServer } from '#test/support/serverProcess.ts';
import { version } from '#server/version.ts';
import { testDb, type TestDb } from '#test/support/testDb.ts';
import { startWorkerProcess } from '#test/support/workerProcess.ts';

const token = 'a-token-of-enough-length';

async function startWorker(database: TestDb, env: Record<string, string>) {
  const port = await freePort();
  const worker = await startWorkerProcess({
    ...{ DATABASE_URL: database.url, SECRET_KEYS: 'worker-test-key-worker-test-key-01' },
    ...{ METRICS_PORT: String(port), METRICS_TOKEN: token },
    ...env,
  });
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
    return { status: answer.status, text: await answer.text() };
  };
  return {
    get,
    stop: () => worker.kill('SIGTERM'),
    ended: worker.ended,
    [Symbol.asyncDispose]: () => worker[Symbol.asyncDispose](),
  };
}

async function queueOne(database: TestDb): Promise<void> {
  const { id: leadId } = await insertLead(database.db);
  await insertDelivery(database, { leadId, nextAttemptAt: new Date() });
}

test('a worker answers probes, and its metrics have the attempts that it made', async () => {
  await using database = await testDb();
  await using receiver = await startReceiver(takes);
  await using worker = await startWorker(database, crmEnvironment(receiver));
  expect(await worker.get('/healthz')).toEqual({
    status: 200,
    text: JSON.stringify({ status: 'ok', version }),
  });
  expect((await worker.get('/readyz')).status).toBe(200);
  expect((await worker.get('/')).status).toBe(404);
  await queueOne(database);
  const attempts = /^delivery_try_duration_seconds_count\{channel="crm",outcome="delivered"\} 1$/m;
  await expect.poll(async () => (await worker.get('/metrics')).text).toMatch(attempts);
  const { text } = await worker.get('/metrics');
  expect(text).toMatch(/^app_info\{version="\d+\.\d+\.\d+",mode="worker"\} 1$/m);
  for (const sample of ['app_ready 1', 'migrations_pending 0', 'background_tasks_stalled 0'])
    expect(text.split('\n')).toContain(sample);
});

test('in production, the metrics of a worker need the token, and its probes do not', async () => {
  await using database = await testDb();
  await using worker = await startWorker(database, {
    ...productionEnvironment,
    DATABASE_URL: database.url,
    HOST: '127.0.0.1',
  });
  expect((await worker.get('/metrics')).status).toBe(404);
  expect((await worker.get('/metrics', { authorization: `Bearer ${token}` })).status).toBe(200);
  expect((await worker.get('/healthz')).status).toBe(200);
});

test('a worker that stops fails its probes until its work in progress has ended', async () => {
  await using database = await testDb();
  await using receiver = await startReceiver(hangs);
  await using worker = await startWorker(database, crmEnvironment(receiver));
  await queueOne(database);
  await expect.poll(() => receiver.received.length).toBe(1);
  const stopped = worker.stop();
  await expect
    .poll(() => worker.get('/healthz'))
    .toEqual({
      status: 503,
      text: expect.stringContaining('"missing":"stopping"'),
    });
  expect((await worker.get('/readyz')).status).toBe(503);
  await stopped;
  expect(worker.ended()).toBe(0);
});

test('a worker whose port is taken says which variable to set', async () => {
  await using database = await testDb();
  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  const address = holder.address();
  const port = address === null || typeof address === 'string' ? '' : String(address.port);
  await using worker = await launchServer({ DATABASE_URL: database.url, METRICS_PORT: port }, [
    'src/server/main.ts',
    'worker',
  ]);
  expect(await once(worker.child, 'exit')).toEqual([1, null]);
  expect(worker.output()).toContain(`Port ${port} is taken. Stop what uses it or set METRICS_PORT.`);
  holder.close();
});

import { createServer } from 'node:http';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { messages } from '#shared/brand/messages.ts';
import { builtBundle } from '#test/support/builtBundle.ts';
import { client, type Client } from '#test/support/testApp.ts';
import { parseConfig } from '../config/config.ts';
import { createLog } from '../log.ts';
import { createStartingApp } from './startingApp.ts';
import { version } from '../version.ts';

/** A process that waits for Postgres. */
async function starting(isStopping = false): Promise<Client> {
  const app = createStartingApp({
    config: parseConfig({}),
    log: createLog('silent'),
    bundle: await builtBundle(),
    isStopping: () => isStopping,
  });
  const handle = app.callback();
  const server = createServer((request, response) => void handle(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  return client(address === null || typeof address === 'string' ? 0 : address.port, 'clinic.example');
}

test('a process that waits for Postgres is alive but not ready', async () => {
  const app = await starting();
  const alive = await app.get('/healthz');
  expect([alive.status, alive.json()]).toEqual([200, { status: 'starting', version }]);
  const ready = await app.get('/readyz');
  expect([ready.status, ready.json()]).toMatchObject([503, { status: 'unavailable', missing: 'database' }]);
  const stopping = await (await starting(true)).get('/healthz');
  expect([stopping.status, stopping.json()]).toEqual([503, { status: 'unavailable', version }]);
});

test('a process that waits for Postgres answers pages by a page, and API calls by JSON', async () => {
  const app = await starting();
  const page = await app.get('/find');
  expect(page.text).toContain(`<h1>${messages.starting.title}</h1>`);
  expect(page.text).not.toContain('<script');
  const calls = [
    await app.get('/api/providers'),
    await app.get('/trpc/providers.list'),
    await app.post('/api/leads', {}),
    await app.post('/find', {}),
  ];
  for (const call of calls) expect(call.json()).toMatchObject({ error: messages.unavailable });
  for (const { status, headers } of [page, ...calls]) {
    expect(status).toBe(503);
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'retry-after': '5' });
    expect(headers['x-content-type-options']).toBe('nosniff');
  }
});

test('a process that waits for Postgres serves the built files', async () => {
  const app = await starting();
  expect((await app.get('/favicon.svg')).status).toBe(200);
});

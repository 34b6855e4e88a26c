import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { test } from 'vitest';
import { leadInput } from '#test/support/factories.ts';
import { type ServerProcess, startServer } from '#test/support/serverProcess.ts';
import { testDb } from '#test/support/testDb.ts';

/** What became of a request: its status, that nobody took the connection, or that it was cut after it had been sent. */
type Outcome = number | 'refused' | 'cut';

function send(agent: Agent, port: number, path: string): Promise<{ outcome: Outcome; closes: boolean }> {
  return new Promise((resolve) => {
    const asked = request({ agent, port, host: '127.0.0.1', path });
    asked.on('response', (response) => {
      const closes = response.headers.connection === 'close';
      response.on('error', () => resolve({ outcome: 'cut', closes }));
      response.resume().on('end', () => resolve({ outcome: response.statusCode ?? 0, closes }));
    });
    asked.on('error', (error: NodeJS.ErrnoException) =>
      resolve({ outcome: error.code === 'ECONNREFUSED' ? 'refused' : 'cut', closes: false }),
    );
    asked.end();
  });
}

/** Clients that each keep one connection, as a load balancer does, and ask on it until an answer closes it. */
function clients(port: number, count: number): { outcomes: Outcome[]; done: Promise<unknown> } {
  const outcomes: Outcome[] = [];
  const one = async (number: number): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let closes = false, outcome: Outcome = 0; !closes && outcome !== 'refused'; outcomes.push(outcome))
      ({ outcome, closes } = await send(agent, port, number % 2 === 0 ? '/api/providers' : '/'));
    agent.destroy();
  };
  return { outcomes, done: Promise.all(Array.from({ length: count }, (_, number) => one(number))) };
}

async function stopped(server: ServerProcess): Promise<number> {
  const startedAt = performance.now();
  await server[Symbol.asyncDispose]();
  return performance.now() - startedAt;
}

test.for(['0', '1'])(
  'SIGTERM cuts no request on kept connections (SHUTDOWN_DELAY_SECONDS=%s)',
  async (delay, { expect }) => {
    await using database = await testDb();
    const server = await startServer({ DATABASE_URL: database.url, SHUTDOWN_DELAY_SECONDS: delay });
    const { outcomes, done } = clients(server.port, 12);
    await expect.poll(() => outcomes.length).toBeGreaterThan(200);
    const ms = await stopped(server);
    await done;
    expect(outcomes.filter((outcome) => outcome === 'cut')).toEqual([]);
    expect(outcomes.filter((outcome) => outcome === 200).length).toBeGreaterThan(200);
    expect(ms).toBeLessThan(15_000);
  },
);

test.concurrent('after SIGTERM, /readyz and /healthz fail while pages are served', async ({ expect }) => {
  await using database = await testDb();
  const server = await startServer({ DATABASE_URL: database.url, SHUTDOWN_DELAY_SECONDS: '8' });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  expect(await send(agent, server.port, '/readyz')).toEqual({ outcome: 200, closes: false });
  const ended = stopped(server);
  await expect
    .poll(() => send(agent, server.port, '/readyz'), { interval: 20 })
    .toEqual({ outcome: 503, closes: true });
  expect(await send(agent, server.port, '/')).toEqual({ outcome: 200, closes: true });
  expect(await send(agent, server.port, '/healthz')).toEqual({ outcome: 503, closes: true });
  await ended;
  expect((await send(agent, server.port, '/')).outcome).toBe('refused');
  agent.destroy();
});

test.concurrent('a request in progress at SIGTERM gets its response', async ({ expect }) => {
  await using database = await testDb();
  await using server = await startServer({ DATABASE_URL: database.url, SHUTDOWN_DELAY_SECONDS: '0' });
  const asked = request({
    port: server.port,
    host: '127.0.0.1',
    method: 'POST',
    path: '/trpc/places.locateZip',
    headers: { 'content-type': 'application/json', 'content-length': '15' },
    agent: false,
  });
  asked.write('{"zip":');
  await once(asked, 'socket');
  await expect.poll(async () => (await send(new Agent(), server.port, '/healthz')).outcome).toBe(200);
  const ended = server[Symbol.asyncDispose]();
  await expect
    .poll(async () => (await send(new Agent(), server.port, '/healthz')).outcome, { interval: 20 })
    .toBe('refused');
  asked.end('"80202"}');
  const [response] = await once(asked, 'response');
  expect([response.statusCode, response.headers.connection]).toEqual([200, 'close']);
  response.resume();
  await ended;
});

test.concurrent('a change that waits for the database at SIGTERM gets a response', async ({ expect }) => {
  await using database = await testDb();
  await using server = await startServer({ DATABASE_URL: database.url, SHUTDOWN_DELAY_SECONDS: '0' });
  const held = await database.sql.reserve();
  await held`begin`;
  await held`lock table leads in access exclusive mode`;
  const body = JSON.stringify(leadInput());
  const asked = request({
    port: server.port,
    host: '127.0.0.1',
    method: 'POST',
    path: '/api/leads',
    headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
    agent: false,
  });
  const answered = once(asked, 'response');
  asked.end(body);
  await expect
    .poll(async () => {
      const [row] = await database.sql<
        { count: number }[]
      >`select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      return row?.count;
    })
    .toBeGreaterThan(0);
  const ended = stopped(server);
  const [response] = await answered;
  response.resume();
  expect([response.statusCode, response.headers.connection, server.ended()]).toEqual([503, 'close', null]);
  expect(await ended).toBeLessThan(15_000);
  // Ended by itself, not by the limit.
  expect(server.ended()).toBe(0);
  await held`rollback`;
  held.release();
});

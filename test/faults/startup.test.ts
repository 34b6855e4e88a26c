import { once } from 'node:events';
import { request } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { advisoryLocks } from '#server/db/advisoryLocks.ts';
import { messages } from '#shared/brand/messages.ts';
import { launchServer } from '#test/support/serverProcess.ts';
import { testDb } from '#test/support/testDb.ts';
import { meets } from '#test/support/meets.ts';
import { databaseLink } from '../tenancy/databaseLink.ts';

const deadEnd = 'postgres://127.0.0.1:9';
/** For a machine on which several processes start. */
interface Got {
  status: number;
  text: string;
  headers: NodeJS.Dict<string | string[]>;
}

/** null: nobody listens. */
async function ask(port: number, path: string, method = 'GET'): Promise<Got | null> {
  const asked = request({ host: '127.0.0.1', port, path, method, agent: false }).end();
  try {
    const [response] = await once(asked, 'response');
    return { status: response.statusCode, headers: response.headers, text: await textOf(response) };
  } catch {
    return null;
  }
}

test.concurrent('a process without Postgres serves files and 503, then becomes ready', async () => {
  meets('D.errors.23 D.copy.23');
  await using database = await testDb();
  await using link = await databaseLink(database.url);
  link.lead(deadEnd);
  await using server = await launchServer({ DATABASE_URL: link.url(database.url) });
  const { port } = server;
  await expect.poll(async () => (await ask(port, '/healthz'))?.status).toBe(200);
  const ready = await ask(port, '/readyz');
  expect([ready?.status, JSON.parse(ready?.text ?? '')]).toEqual([
    503,
    { status: 'unavailable', missing: 'database', reason: expect.any(String) },
  ]);
  const page = await ask(port, '/');
  expect([page?.status, page?.headers['content-type'], page?.headers['retry-after']]).toEqual([
    503,
    'text/html; charset=utf-8',
    '5',
  ]);
  expect(page?.text).toContain(`<h1>${messages.starting.title}</h1><p>${messages.starting.text}</p>`);
  expect(page?.text).not.toMatch(/http-equiv|<script/);
  expect(page?.headers['refresh']).toBeUndefined();
  expect((await ask(port, '/favicon.svg'))?.status).toBe(200);
  for (const [path, method] of [
    ['/api/leads', 'POST'],
    ['/api/providers', 'GET'],
    ['/trpc/leads.create', 'POST'],
  ] as const) {
    const got = await ask(port, path, method);
    expect([path, got?.status, got?.headers['content-type']]).toEqual([
      path,
      503,
      'application/problem+json',
    ]);
  }
  await expect
    .poll(server.output)
    .toMatch(/Can't reach Postgres at 127\.0\.0\.1:\d+ \([a-z ]+\)\. Check DATABASE_URL\./);

  link.lead(database.url);
  await expect.poll(async () => (await ask(port, '/readyz'))?.status).toBe(200);
  expect((await ask(port, '/'))?.status).toBe(200);
});

test('a process whose first attempt hangs listens before that attempt has failed', async () => {
  await using database = await testDb();
  await using link = await databaseLink(database.url);
  link.freeze();
  await using server = await launchServer({ DATABASE_URL: link.url(database.url) });
  await expect.poll(link.accepted).toBe(1);
  // The driver gives up after ten seconds.
  await expect.poll(async () => (await ask(server.port, '/healthz'))?.status).toBe(200);
  expect(server.output()).not.toContain("Can't reach Postgres");
  expect((await ask(server.port, '/'))?.status).toBe(503);
  link.thaw();
  await expect.poll(async () => (await ask(server.port, '/readyz'))?.status).toBe(200);
});

test('a process that waits for another one’s migration listens', async () => {
  await using database = await testDb();
  const holder = await database.sql.reserve();
  await holder`select pg_advisory_lock(${advisoryLocks.migrate})`;
  await using server = await launchServer({ DATABASE_URL: database.url });
  await expect.poll(async () => (await ask(server.port, '/healthz'))?.status).toBe(200);
  expect((await ask(server.port, '/readyz'))?.status).toBe(503);
  await holder`select pg_advisory_unlock(${advisoryLocks.migrate})`;
  holder.release();
  await expect.poll(async () => (await ask(server.port, '/readyz'))?.status).toBe(200);
});

test('a worker without Postgres waits for it', async () => {
  await using database = await testDb();
  await using link = await databaseLink(database.url);
  link.lead(deadEnd);
  await using worker = await launchServer({ DATABASE_URL: link.url(database.url) }, [
    'src/server/main.ts',
    'worker',
  ]);
  await expect.poll(worker.output).toMatch(/Can't reach Postgres/);
  const ready = once(worker.child, 'message');
  link.lead(database.url);
  expect((await ready)[0]).toBe('ready');
});

test('SIGTERM ends a process that waits for Postgres, without an error', async () => {
  await using server = await launchServer({ DATABASE_URL: 'postgres://user:hidden@127.0.0.1:9/leads' });
  await expect.poll(server.output).toMatch(/Can't reach Postgres at 127\.0\.0\.1:9 \(connection refused\)/);
  server.child.kill('SIGTERM');
  expect(await once(server.child, 'exit')).toEqual([0, null]);
  expect(server.output()).not.toContain('hidden');
});

test.concurrent('a wrong database name ends the start with its cause and no password', async () => {
  await using database = await testDb();
  const url = new URL(database.url);
  url.pathname = '/nothing_here';
  await using server = await launchServer({ DATABASE_URL: url.href });
  expect(await once(server.child, 'exit')).toEqual([1, null]);
  expect(server.output()).toMatch(
    /^Postgres at 127\.0\.0\.1:\d+ has no database "nothing_here"\. Create it, or check the name in DATABASE_URL\.\n$/m,
  );
  expect(server.output()).not.toContain(url.password || 'no password');
});

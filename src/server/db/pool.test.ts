import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { Writable } from 'node:stream';
import { sql as text } from 'drizzle-orm';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { testDb } from '#test/support/testDb.ts';
import { databaseLink } from '#test/tenancy/databaseLink.ts';
import { poolReplacements } from '../metrics.ts';
import { connect, type Connection } from './connect.ts';
import { openSideConnection } from './openSideConnection.ts';
import { waitFor, waitUntil } from '#test/support/waitFor.ts';

/** Long enough for a busy machine: a pool that answers is never taken for a silent one. */
const timings = { upEveryMs: 50, downEveryMs: 20, lateAfterMs: 1_000, replaceAfterMs: 3_000 };

/** No probe counts as late, however busy the machine is: only whether the server is working decides. */
const patientTimings = { ...timings, lateAfterMs: 10_000 };

interface Watched extends Connection, AsyncDisposable {
  /** Log lines as JSON. */
  lines: string[];
}

function watched(url: string, watch: typeof timings, max = 2): Watched {
  const lines: string[] = [];
  const stream = new Writable({
    write(line: Buffer, _encoding, done) {
      lines.push(line.toString());
      done();
    },
  });
  const connection = connect(url, { applicationName: 'watched', max, watch, log: pino(stream) });
  return { ...connection, lines, [Symbol.asyncDispose]: connection.close };
}

async function replacementsCounted(): Promise<number> {
  const { values } = await poolReplacements.get();
  return values.reduce((sum, { value }) => sum + value, 0);
}

const connectionErrors = expect.objectContaining({
  code: expect.stringMatching(/^CONNECTION_|^CONNECT_TIMEOUT$/),
});

test('a silent pool and those beside it are replaced behind the same objects', async () => {
  await using database = await testDb();
  await using link = await databaseLink(database.url);
  await using main = watched(link.url(database.url), timings);
  const beside = openSideConnection(main.sql, { purpose: 'jobs', max: 1, fetch_types: true });
  const select = main.db
    .select({ n: text<number>`1` })
    .from(text`pg_class`)
    .limit(1)
    .prepare('one');
  await Promise.all([select.execute(), beside.sql`select 1`]);
  await waitUntil(() => main.health.state() === 'up');
  const before = await replacementsCounted();

  link.freeze();
  const transaction = main.sql.begin((tx) => tx`select 1`);
  await expect(Promise.allSettled([main.sql`select 1`, transaction, beside.sql`select 1`])).resolves.toEqual(
    Array.from({ length: 3 }, () => ({ status: 'rejected', reason: connectionErrors })),
  );
  expect(main.health.state()).toBe('down');
  expect(main.health.replacements()).toBeGreaterThanOrEqual(2);
  expect(main.lines.some((line) => line.includes('replaced a silent database pool'))).toBe(true);
  expect((await replacementsCounted()) - before).toBe(main.health.replacements());
  const reports = main.health.pools();
  expect(reports.map(({ name }) => name)).toEqual(['main', 'jobs']);
  for (const { name, replacements } of reports) {
    expect(replacements).toBeGreaterThanOrEqual(1);
    const { values: counted } = await poolReplacements.get();
    expect(counted.find(({ labels }) => labels.pool === name)?.value).toBeGreaterThanOrEqual(replacements);
  }

  link.thaw();
  await waitUntil(() => main.health.state() === 'up');
  expect(await select.execute()).toEqual([{ n: 1 }]);
  expect(await main.db.transaction((tx) => tx.execute(text`select 2 as n`))).toEqual([{ n: 2 }]);
  await waitFor(async () => expect(await beside.sql`select 3 as n`).toEqual([{ n: 3 }]));
  await beside.sql.end();
  expect(main.health.pools().map(({ name }) => name)).toEqual(['main']);
});

test('a pool is not replaced while the server works on its statements', async () => {
  await using database = await testDb();
  await using main = watched(database.url, patientTimings, 1);
  await waitUntil(() => main.health.state() === 'up');
  const held = await database.sql.reserve();
  await held`select pg_advisory_lock(1)`;
  const waiting = main.sql`select pg_advisory_lock(1), 'locked' as outcome`.execute();
  await waitUntil(() => main.lines.some((line) => line.includes('every database connection is busy')), {
    timeout: 15_000,
  });
  expect(main.health.state()).toBe('up');
  await held`select pg_advisory_unlock(1)`;
  held.release();
  expect(await waiting).toMatchObject([{ outcome: 'locked' }]);
  await waitUntil(() => main.health.state() === 'up');
  expect(main.health.replacements()).toBe(0);
});

test('a pool whose only cursor waits for a reader is replaced', async () => {
  await using database = await testDb();
  await using main = watched(database.url, timings, 1);
  await waitUntil(() => main.health.state() === 'up');
  const rows = main.sql`select generate_series(1, 100) as n`.cursor(10)[Symbol.asyncIterator]();
  await rows.next();
  await waitUntil(() => main.health.replacements() > 0);
  expect(main.lines.some((line) => line.includes('every database connection is busy'))).toBe(false);
  await waitUntil(() => main.health.state() === 'up');
  await expect(Promise.resolve(rows.next())).rejects.toEqual(connectionErrors);
});

test('a working database without a free connection stays up', async () => {
  await using database = await testDb();
  const role = `limited_${randomUUID().replaceAll('-', '')}`;
  await database.sql.unsafe(`create role ${role} login password 'limited' connection limit 1`);
  const url = new URL(database.url);
  url.username = role;
  url.password = 'limited';
  {
    await using main = watched(url.href, patientTimings, 1);
    await waitUntil(() => main.health.state() === 'up');
    const held = await database.sql.reserve();
    await held`select pg_advisory_lock(1)`;
    const waiting = main.sql`select pg_advisory_lock(1), 'locked' as outcome`.execute();
    await waitUntil(() => main.lines.some((line) => line.includes('every database connection is busy')), {
      timeout: 15_000,
    });
    await held`select pg_advisory_unlock(1)`;
    held.release();
    expect(await waiting).toMatchObject([{ outcome: 'locked' }]);
    expect(main.lines.some((line) => line.includes('the database does not answer'))).toBe(false);
    expect(main.health.replacements()).toBe(0);
  }
  await database.sql.unsafe(`drop role ${role}`);
});

test('pools that are silent together share one busy check', async () => {
  let open = 0;
  let most = 0;
  let checks = 0;
  const sockets = new Set<Socket>();
  // Takes every connection and sends nothing.
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', (startup) => {
      if (!startup.includes('watchdog of ')) return;
      open += 1;
      checks += 1;
      most = Math.max(most, open);
      socket.once('close', () => (open -= 1));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  const url = `postgres://somebody@127.0.0.1:${port}/db?sslmode=disable`;
  {
    await using main = watched(url, { ...timings, replaceAfterMs: 60_000 });
    const beside = openSideConnection(main.sql, { purpose: 'jobs', max: 1, fetch_types: false });
    await waitUntil(() => checks >= 2);
    await Promise.all([beside.sql.end({ timeout: 0 }), main.sql.end({ timeout: 0 })]);
  }
  for (const socket of sockets) socket.destroy();
  server.close();
  expect(most).toBe(1);
});

test('a database that refuses connections is down, then up, without a new pool', async () => {
  await using database = await testDb();
  await using link = await databaseLink(database.url);
  await using main = watched(link.url(database.url), { ...timings, replaceAfterMs: 30_000 });
  expect(main.health.state()).toBe('unknown');
  expect(main.health.silentMs()).toBe(Infinity);
  await waitUntil(() => main.health.state() === 'up');
  link.lead('postgres://127.0.0.1:1');
  link.reset();
  await waitUntil(() => main.health.state() === 'down');
  const silentMs = main.health.silentMs();
  await expect(main.sql`select 1`).rejects.toMatchObject({ code: 'ECONNRESET' });
  expect(main.health.silentMs()).toBeGreaterThan(silentMs);
  link.lead(database.url);
  await waitUntil(() => main.health.state() === 'up');
  expect(await main.sql`select 1 as n`).toEqual([{ n: 1 }]);
  expect(main.health.replacements()).toBe(0);
});

test('a lost connection is noticed long before the next probe is due', async () => {
  await using database = await testDb();
  await using link = await databaseLink(database.url);
  await using main = watched(link.url(database.url), { ...timings, upEveryMs: 3_600_000 });
  await waitUntil(() => main.health.state() === 'up');
  link.lead('postgres://127.0.0.1:1');
  link.reset();
  await expect.poll(() => main.health.state()).toBe('down');
  // The pool ends faster when it can connect.
  link.lead(database.url);
});

test('a pool that is not watched sends no probes', async () => {
  await using database = await testDb();
  expect(await database.sql`select 1 as n`).toEqual([{ n: 1 }]);
  expect(database.health.state()).toBe('unknown');
  expect(database.health.silentMs()).toBe(Infinity);
});

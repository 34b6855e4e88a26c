import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { buildLines } from '#test/support/logLines.ts';
import { testDb, type TestDb } from '#test/support/testDb.ts';
import { waitUntil } from '#test/support/waitFor.ts';
import { databaseLink } from '#test/tenancy/databaseLink.ts';
import { AppError } from '../errors.ts';
import { connect, type Connection, type Database } from './connect.ts';
import { createReplicaReads } from './replicaReads.ts';

/** Two databases that differ by what they contain, instead of a replica, which is the same. */
async function marked(name: string): Promise<TestDb> {
  const database = await testDb({ max: 2 });
  await database.sql`create table mark (name text)`;
  await database.sql`insert into mark values (${name})`;
  return database;
}

async function getMark(db: Database): Promise<unknown> {
  const [row] = await db.execute(sql`select name from mark`);
  return row?.['name'];
}

async function* parts(db: Database, failAfter = Infinity): AsyncGenerator<unknown, void> {
  const mark = await getMark(db);
  for (let part = 0; part < 3; part += 1) {
    if (part === failAfter) await db.execute(sql`select from nothing_here`);
    yield mark;
  }
}

async function collected(from: AsyncGenerator<unknown, void>): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const part of from) all.push(part);
  return all;
}

function opened(url: string): Connection & AsyncDisposable {
  const watch = { upEveryMs: 50, downEveryMs: 20, lateAfterMs: 10_000 };
  const connection = connect(url, { applicationName: 'test-replica', max: 2, isReplica: true, watch });
  return { ...connection, [Symbol.asyncDispose]: connection.close };
}

test('reads go to the replica, and to the primary where there is none', async () => {
  await using primary = await marked('primary');
  await using second = await marked('replica');
  await using replica = opened(second.url);
  const { log, lines } = buildLines();
  const reads = createReplicaReads({ primary: primary.db, replica, log });
  expect(await reads.read(getMark)).toBe('replica');
  expect(await collected(reads.stream(parts))).toEqual(['replica', 'replica', 'replica']);
  const primaryOnly = createReplicaReads({ primary: primary.db, replica: null, log });
  expect(await primaryOnly.read(getMark)).toBe('primary');
  expect(await collected(primaryOnly.stream(parts))).toEqual(['primary', 'primary', 'primary']);
  expect(lines()).toEqual([]);
});

test('a replica that stops answering is replaced by the primary until it returns', async () => {
  await using primary = await marked('primary');
  await using second = await marked('replica');
  await using link = await databaseLink(second.url);
  await using replica = opened(link.url(second.url));
  const { log, lines } = buildLines();
  const reads = createReplicaReads({ primary: primary.db, replica, log });
  expect(await reads.read(getMark)).toBe('replica');
  link.lead('postgres://127.0.0.1:1');
  link.reset();
  expect(await reads.read(getMark)).toBe('primary');
  expect(await collected(reads.stream(parts))).toEqual(['primary', 'primary', 'primary']);
  await waitUntil(() => replica.health.state() === 'down');
  const logged = lines().length;
  expect(await reads.read(getMark)).toBe('primary');
  expect(lines()).toHaveLength(logged);
  link.lead(second.url);
  await waitUntil(() => replica.health.state() === 'up');
  expect(await reads.read(getMark)).toBe('replica');
});

test('a read that the replica fails is repeated on the primary, with a line in the log', async () => {
  await using primary = await marked('primary');
  await using second = await testDb({ max: 1 });
  await using replica = opened(second.url);
  const { log, lines } = buildLines();
  const reads = createReplicaReads({ primary: primary.db, replica, log });
  expect(await reads.read(getMark)).toBe('primary');
  expect(await collected(reads.stream(parts))).toEqual(['primary', 'primary', 'primary']);
  expect(lines().map(({ msg }) => msg)).toEqual(
    Array.from({ length: 2 }, () => 'a read failed on the replica and is repeated on the primary'),
  );
});

test('a read that exceeds its own limit is not repeated', async () => {
  await using primary = await marked('primary');
  await using second = await marked('replica');
  await using replica = opened(second.url);
  const reads = createReplicaReads({ primary: primary.db, replica, log: buildLines().log });
  const asked: unknown[] = [];
  const failing = reads.read(async (db) => {
    asked.push(await getMark(db));
    throw new AppError('SERVICE_UNAVAILABLE', 'too long');
  });
  await expect(failing).rejects.toThrow('too long');
  expect(asked).toEqual(['replica']);
});

test('a stream that fails after its first part ends with the error', async () => {
  await using primary = await marked('primary');
  await using second = await marked('replica');
  await using replica = opened(second.url);
  const reads = createReplicaReads({ primary: primary.db, replica, log: buildLines().log });
  const received: unknown[] = [];
  const reading = (async () => {
    for await (const part of reads.stream((db) => parts(db, 1))) received.push(part);
  })();
  await expect(reading).rejects.toMatchObject({ cause: { code: '42P01' } });
  expect(received).toEqual(['replica']);
});

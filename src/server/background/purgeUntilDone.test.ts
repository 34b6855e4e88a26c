import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { advisoryLocks } from '#server/db/advisoryLocks.ts';
import { purgeExpiredKeys } from '#server/features/submissions/idempotency.ts';
import { buildLines } from '#test/support/logLines.ts';
import { testDb, type TestDb } from '#test/support/testDb.ts';
import { type Purge, purgeUntilDone } from './retention.ts';

const purge: Purge = {
  task: 'purge idempotency keys',
  removeBatch: (tx) => purgeExpiredKeys(tx, new Date()),
};
const { signal } = new AbortController();

/** More than two batches of expired keys, and one that is still valid. */
async function insertKeys({ sql: run }: TestDb, expired = 12_000): Promise<void> {
  await run`
    insert into idempotency_keys (key, request_sha256, status, body, expires_at)
    select 'k' || n, '', 201, '{}', now() + case when n = 0 then interval '1 day' else interval '-1 day' end
    from generate_series(0, ${expired}::int) as n`;
}

async function keysLeft({ sql: run }: TestDb): Promise<number> {
  const [row] = await run<{ left: number }[]>`select count(*)::int as left from idempotency_keys`;
  return row?.left ?? -1;
}

test('a large backlog is removed in one run, which logs the number of rows once', async () => {
  await using database = await testDb();
  await insertKeys(database);
  const { log, lines } = buildLines();
  expect(await purgeUntilDone({ db: database.db, log }, purge, { signal })).toBe(12_000);
  expect(await keysLeft(database)).toBe(1);
  expect(lines()).toMatchObject([
    { event: 'retention.purged', task: 'purge idempotency keys', rows: 12_000 },
  ]);
  expect(await purgeUntilDone({ db: database.db, log }, purge, { signal })).toBe(0);
  expect(lines()).toHaveLength(1);
});

test('a run whose budget is used ends after its batch, and the next run continues', async () => {
  await using database = await testDb();
  await insertKeys(database);
  const { log } = buildLines();
  const first = await purgeUntilDone({ db: database.db, log }, purge, { signal, budgetMs: 0 });
  expect(first).toBeGreaterThan(0);
  expect(await keysLeft(database)).toBe(12_001 - first);
  expect(first + (await purgeUntilDone({ db: database.db, log }, purge, { signal }))).toBe(12_000);
});

test('no batch starts after the stop signal', async () => {
  await using database = await testDb();
  await insertKeys(database);
  const { log } = buildLines();
  const stopping = new AbortController();
  const stopped: Purge = {
    task: 'stopped',
    removeBatch(tx) {
      stopping.abort();
      return purgeExpiredKeys(tx, new Date());
    },
  };
  const first = await purgeUntilDone({ db: database.db, log }, stopped, stopping);
  expect(await keysLeft(database)).toBe(12_001 - first);
  expect(first).toBeLessThan(12_000);
  expect(await purgeUntilDone({ db: database.db, log }, stopped, stopping)).toBe(0);
});

test('while another process runs the task, a run removes nothing', async () => {
  await using database = await testDb();
  await insertKeys(database, 5);
  const { log } = buildLines();
  await database.db.transaction(async (other) => {
    await other.execute(
      sql`select pg_advisory_xact_lock(${advisoryLocks.purge}, hashtext('purge idempotency keys'))`,
    );
    expect(await purgeUntilDone({ db: database.db, log }, purge, { signal })).toBe(0);
  });
  expect(await purgeUntilDone({ db: database.db, log }, purge, { signal })).toBe(5);
});

test('a batch that fails is rolled back, and what was removed before is logged', async () => {
  await using database = await testDb();
  await insertKeys(database);
  const { log, lines } = buildLines();
  let batches = 0;
  const failing: Purge = {
    task: 'failing',
    async removeBatch(tx) {
      const rows = await purgeExpiredKeys(tx, new Date());
      batches += 1;
      if (batches === 2) throw new Error('the second batch failed');
      return rows;
    },
  };
  await expect(purgeUntilDone({ db: database.db, log }, failing, { signal })).rejects.toThrow('second batch');
  const [line] = lines();
  expect(await keysLeft(database)).toBe(12_001 - Number(line?.['rows']));
});

import { expect, test } from 'vitest';
import { testDb, type TestDb } from '#test/support/testDb.ts';
import { pruneAuditLog } from './pruneAuditLog.ts';

async function insertEntries({ sql }: TestDb, days: number, count = 1): Promise<void> {
  await sql`insert into audit_log (at, actor_kind, actor_name, action)
    select now() - ${days}::int * interval '1 day', 'staff', ${String(days)}, 'sign-in' from generate_series(1, ${count}::int)`;
}

const refused = { code: '23001' };

test('entries of the last year stay, whatever they say; a refused run records nothing', async () => {
  await using database = await testDb();
  const { sql, db } = database;
  await insertEntries(database, 200);
  await expect(pruneAuditLog(db, { days: 199, removes: true })).rejects.toMatchObject({ cause: refused });
  expect(await sql`select 1 from audit_log where action = 'audit.prune'`).toHaveLength(0);
  await sql`insert into audit_log (actor_kind, actor_name, action, detail)
    values ('command', 'x', 'audit.prune', jsonb_build_object('before', now()))`;
  await expect(sql`delete from audit_log where actor_name = '200'`).rejects.toMatchObject(refused);
});

test('several batches are removed with one entry, which says until when', async () => {
  await using database = await testDb();
  const { sql, db } = database;
  await insertEntries(database, 400, 5_001);
  await insertEntries(database, 366);
  await insertEntries(database, 364);
  expect(await pruneAuditLog(db, { days: 365, removes: false })).toMatchObject({ entries: 5_002 });
  const { before, entries } = await pruneAuditLog(db, { days: 365, removes: true });
  expect(entries).toBe(5_002);
  const left = await sql`select actor_name as name, detail from audit_log order by id`;
  expect([...left]).toEqual([
    { name: '364', detail: null },
    { name: 'npm run retention:prune', detail: { before: before.toISOString() } },
  ]);
});

test('an interrupted run has removed what it returns', async () => {
  await using database = await testDb();
  await insertEntries(database, 400);
  const options = { days: 365, removes: true, signal: AbortSignal.abort() };
  expect((await pruneAuditLog(database.db, options)).entries).toBe(0);
  const left = await database.sql`select action from audit_log`;
  expect([...left]).toEqual([{ action: 'sign-in' }]);
});

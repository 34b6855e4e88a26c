import { expect, test } from 'vitest';
import { staffActionOn } from '#test/support/staffActions.ts';
import { insertProvider } from '#test/support/factories.ts';
import { insertLead, insertLeads } from '#test/support/leadRows.ts';
import { testDb, type TestDb } from '#test/support/testDb.ts';
import { assignLeads, purgeDeletedLeads, removeLeads, restoreLeads } from '../leads/leadChanges.ts';
import { foldLeadCounts, leadCountOfEach } from './leadCounts.ts';
import { sql } from 'drizzle-orm';

interface Counted extends Record<string, unknown> {
  provider_id: string;
  lead_count: number;
}

/** The counts that are kept, without zeros, and those of the table itself. */
async function counts({ db }: TestDb): Promise<{ kept: Counted[]; counted: Counted[] }> {
  const [kept, counted] = await Promise.all([
    db.execute<Counted>(sql`select * from ${leadCountOfEach} as counts where lead_count <> 0 order by 1`),
    db.execute<Counted>(sql`select provider_id, count(*)::int as lead_count from leads
      where provider_id is not null and deleted_at is null group by provider_id order by 1`),
  ]);
  return { kept: [...kept], counted: [...counted] };
}

test('whatever becomes of leads, the counts kept are those of the table, before and after they are folded', async () => {
  await using database = await testDb();
  const { db } = database;
  const [one, two] = [await insertProvider(db), await insertProvider(db)];
  const leads = await insertLeads(db, [
    { providerId: one.id },
    { providerId: one.id },
    { providerId: two.id },
    { providerId: one.id, deletedAt: new Date() },
    {},
  ]);
  const ids = leads.map(({ id }) => id);
  const staffAction = staffActionOn(database);
  const steps: [name: string, act: () => Promise<unknown>, expected: [one: number, two: number]][] = [
    ['inserted', () => Promise.resolve(), [2, 1]],
    ['assigned', () => assignLeads(staffAction, ids.slice(0, 1), two.id), [1, 2]],
    ['the unmatched one assigned', () => assignLeads(staffAction, ids.slice(4), one.id), [2, 2]],
    ['removed', () => removeLeads(staffAction, ids), [0, 0]],
    ['restored', () => restoreLeads(staffAction, ids.slice(0, 3)), [1, 2]],
    ['purged', () => purgeDeletedLeads(db, new Date(Date.now() + 40 * 86_400_000)), [1, 2]],
    ['deleted in psql', () => db.execute(sql`delete from leads where id = ${ids[1] ?? 0}`), [0, 2]],
    ['changed otherwise', () => db.execute(sql`update leads set crm_sync_status = 'failed'`), [0, 2]],
  ];
  for (const [name, act, [ofOne, ofTwo]] of steps) {
    await act();
    for (const isFolded of [false, true]) {
      if (isFolded) await foldLeadCounts(db);
      const { kept, counted } = await counts(database);
      expect([name, isFolded, kept]).toEqual([name, isFolded, counted]);
      const of = (id: number) => kept.find(({ provider_id }) => Number(provider_id) === id)?.lead_count ?? 0;
      expect([name, of(one.id), of(two.id)]).toEqual([name, ofOne, ofTwo]);
    }
    expect(await database.sql`select 1 from lead_count_changes`).toHaveLength(0);
  }
  await db.execute(sql`truncate leads cascade`);
  expect((await counts(database)).kept).toEqual([]);
});

test('folding while leads come in and while others fold loses none and counts none twice', async () => {
  await using database = await testDb({ max: 8 });
  const { db } = database;
  const provider = await insertProvider(db);
  await Promise.all(
    Array.from({ length: 40 }, async (_, index) => {
      await insertLead(db, { providerId: provider.id });
      if (index % 3 === 0) await foldLeadCounts(db);
    }),
  );
  await foldLeadCounts(db);
  const { kept, counted } = await counts(database);
  expect(kept).toEqual(counted);
  expect(kept).toEqual([{ provider_id: String(provider.id), lead_count: 40 }]);
});

test('a lead that is taken back is not counted', async () => {
  await using database = await testDb();
  const provider = await insertProvider(database.db);
  const failing = database.db.transaction(async (tx) => {
    await tx.execute(sql`insert into leads (first_name, last_name, email, phone, zip_code, provider_id, email_norm, phone_e164, match_method, match_reason)
      values ('A', 'B', 'a@b.example', '3035550100', '80202', ${provider.id}, 'a@b.example', '+13035550100', 'nearest', 'x')`);
    throw new Error('taken back');
  });
  await expect(failing).rejects.toThrow('taken back');
  expect((await counts(database)).kept).toEqual([]);
});

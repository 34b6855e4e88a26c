import { describe, expect, test } from 'vitest';
import { staffActionOn } from '#test/support/staffActions.ts';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { setUpIntake } from '#test/support/intakeSetup.ts';
import { insertLead, insertLeads } from '#test/support/leadRows.ts';
import { meets } from '#test/support/meets.ts';
import { testDb, type TestDb } from '#test/support/testDb.ts';
import { assignLeads } from './assignLeads.ts';
import { releaseLeads, removeLeads, restoreLeads } from './leadChanges.ts';
import { purgeDeletedLeads } from './purgeLeads.ts';

const dayMs = 86_400_000;

async function logged({ sql }: TestDb): Promise<unknown[]> {
  const rows = await sql<
    { action: string; subject_id: string }[]
  >`select action, subject_id from audit_log order by subject_id::int, id`;
  return rows.map(({ action, subject_id }) => [action, Number(subject_id)]);
}

describe('an assignment', () => {
  test('sets each lead’s distance and reason, skips deleted leads and is audited', async () => {
    meets('D.leads.60');
    await using database = await testDb();
    const provider = await insertProvider(database.db, { zipCode: '80202' });
    const [near, far, nowhere, gone] = await insertLeads(database.db, [
      { zipCode: '80202' },
      { zipCode: '10016' },
      { zipCode: 'K1A 0B1' },
      { deletedAt: new Date() },
    ]);
    const ids = [near, far, nowhere, gone].flatMap((lead) => lead?.id ?? []);
    expect(await assignLeads(staffActionOn(database), [...ids, 999_999], provider.id)).toEqual(
      ids.slice(0, 3),
    );
    const rows = await database.sql`
      select provider_id, match_method, match_reason, round(match_distance_miles) as miles from leads where deleted_at is null order by id`;
    const given = { provider_id: String(provider.id), match_method: 'manual' };
    expect([...rows]).toEqual([
      { ...given, match_reason: 'Assigned by Robin Staff, 0.0 miles from the center of 80202.', miles: 0 },
      {
        ...given,
        match_reason: expect.stringMatching(
          /^Assigned by Robin Staff, 1,6\d\d\.\d miles from the center of 10016\.$/,
        ),
        miles: expect.any(Number),
      },
      { ...given, match_reason: 'Assigned by Robin Staff.', miles: null },
    ]);
    expect(await logged(database)).toEqual(ids.slice(0, 3).map((id) => ['lead.assign', id]));
  });

  test('writes the audit entries of many leads in one statement', async () => {
    await using database = await testDb();
    const provider = await insertProvider(database.db);
    const rows = await insertLeads(database.db, [{}, {}, {}]);
    await database.sql.unsafe(`
      create table statements (id int generated always as identity);
      create function count_statement() returns trigger language plpgsql as 'begin insert into statements default values; return null; end';
      create trigger count_statements after insert on audit_log for each statement execute function count_statement();`);
    await assignLeads(
      staffActionOn(database),
      rows.map(({ id }) => id),
      provider.id,
    );
    expect(await logged(database)).toHaveLength(3);
    expect(await database.sql`select 1 from statements`).toHaveLength(1);
  });

  test('to an inactive or unknown provider changes nothing', async () => {
    await using database = await testDb();
    const provider = await insertProvider(database.db, { status: 'f' });
    const lead = await insertLead(database.db);
    await expect(assignLeads(staffActionOn(database), [lead.id], provider.id)).rejects.toMatchObject({
      code: 'UNPROCESSABLE_CONTENT',
      fields: { providerId: 'This provider is inactive.' },
    });
    await expect(assignLeads(staffActionOn(database), [lead.id], 999_999)).rejects.toMatchObject({
      code: 'UNPROCESSABLE_CONTENT',
      fields: { providerId: 'There is no such provider.' },
    });
    expect([...(await database.sql`select provider_id from leads`)]).toEqual([{ provider_id: null }]);
    expect(await logged(database)).toEqual([]);
  });

  test('of the same 500 leads by two concurrent calls ends with one provider', async () => {
    await using database = await testDb();
    const providers = [await insertProvider(database.db), await insertProvider(database.db)];
    const rows = await insertLeads(
      database.db,
      Array.from({ length: 500 }, () => ({})),
    );
    const ids = rows.map(({ id }) => id);
    const changed = await Promise.all(
      providers.map(({ id }, index) =>
        assignLeads(staffActionOn(database), index === 0 ? ids : ids.toReversed(), id),
      ),
    );
    expect(changed).toEqual([ids, ids]);
    const left = await database.sql`select distinct provider_id from leads`;
    expect(left).toHaveLength(1);
  });
});

describe('a deletion', () => {
  test('can be undone for 30 days, then the lead is purged and its evidence stays', async () => {
    meets('D.admin.35 D.admin.37 D.admin.38');
    await using at = await setUpIntake();
    const { database, clock } = at;
    const { body } = await at.send(leadInput({ attribution: { first: { utm_source: 'news' } } }));
    const other = await at.send(leadInput());
    const staffAction = staffActionOn(database, clock);
    expect(await removeLeads(staffAction, [body.id, body.id])).toEqual([body.id]);
    expect(await removeLeads(staffAction, [body.id])).toEqual([]);
    clock.ms += 30 * dayMs - 1;
    expect(await purgeDeletedLeads(database.db, new Date(clock.ms))).toBe(0);
    expect(await restoreLeads(staffAction, [body.id, other.body.id])).toEqual([body.id]);
    expect(await restoreLeads(staffAction, [body.id])).toEqual([]);
    await removeLeads(staffAction, [body.id]);
    clock.ms += 30 * dayMs;
    expect(await restoreLeads(staffAction, [body.id])).toEqual([]);
    expect(await purgeDeletedLeads(database.db, new Date(clock.ms))).toBe(1);
    const { sql } = database;
    expect([...(await sql`select id from leads`)]).toEqual([{ id: String(other.body.id) }]);
    expect(await sql`select 1 from lead_attribution`).toHaveLength(0);
    expect(await sql`select 1 from consent_records where lead_id = ${body.id}`).toHaveLength(1);
  });
});

describe('a release', () => {
  test('removes leads from quarantine and changes nothing else', async () => {
    await using database = await testDb();
    const [caught, free] = await insertLeads(database.db, [
      { quarantinedAt: new Date(), quarantineReason: 'honeypot' },
      {},
    ]);
    const ids = [caught?.id ?? 0, free?.id ?? 0];
    expect(await releaseLeads(staffActionOn(database), ids)).toEqual([caught?.id]);
    expect(
      await database.sql`select 1 from leads where quarantined_at is not null or quarantine_reason is not null`,
    ).toHaveLength(0);
    expect(await logged(database)).toEqual([['lead.release', caught?.id]]);
  });
});

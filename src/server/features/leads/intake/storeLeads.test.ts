import { describe, expect, test } from 'vitest';
import { insertProvider } from '#test/support/factories.ts';
import { meets } from '#test/support/meets.ts';
import { arrivedAt as now, newLead } from '#test/support/newLeads.ts';
import { testDb, type TestDb } from '#test/support/testDb.ts';
import { testDataKeys } from '#test/support/testKeys.ts';
import { lockPersons } from '../../identity/identity.ts';
import { repeatReason } from '../../outbox/repeats.ts';
import { type NewLead, storeLeads, storeLeadBatch } from './storeLeads.ts';

async function store({ db }: TestDb, leads: readonly NewLead[]): Promise<(number | null)[]> {
  const results = await db.transaction((tx) => storeLeads(tx, leads, { now, identityKey: null }));
  return results.map((result) => (result.stored ? result.body.id : null));
}

const leadRows = ({ sql }: TestDb) =>
  sql`select id::int, duplicate_of::int as "duplicateOf" from leads order by id`;

describe('a batch of leads', () => {
  test('is stored with the evidence, attribution, deliveries and keys of each lead', async () => {
    await using database = await testDb();
    const { id: providerId } = await insertProvider(database.db);
    const ids = await store(database, [
      newLead({ providerId }),
      newLead({ providerId }),
      newLead({ providerId, quarantineReason: 'over-limit' }),
    ]);
    const [a, b, c] = ids;
    expect(await leadRows(database)).toEqual(ids.map((id) => ({ id, duplicateOf: null })));
    const { sql } = database;
    const listLeadIds = async (query: Promise<readonly Record<string, unknown>[]>) =>
      (await query).map((row) => row['id']);
    expect(await listLeadIds(sql`select lead_id::int as id from consent_records order by id`)).toEqual(ids);
    expect(
      await listLeadIds(
        sql`select lead_id::int as id from consent_seal_queue join consent_records r on r.id = record_id order by r.id`,
      ),
    ).toEqual(ids);
    expect(await listLeadIds(sql`select lead_id::int as id from lead_attribution order by lead_id`)).toEqual(
      ids,
    );
    expect(await listLeadIds(sql`select lead_id::int as id from idempotency_keys order by lead_id`)).toEqual(
      ids,
    );
    expect(await listLeadIds(sql`select lead_id::int as id from deliveries order by lead_id`)).toEqual([
      a,
      b,
    ]);
    expect(await listLeadIds(sql`select lead_id::int as id from over_limit_leads`)).toEqual([c]);
  });

  test('is stored by one transaction, which gives up a lock after half a second', async () => {
    await using database = await testDb();
    const { db, sql } = database;
    const { id: providerId } = await insertProvider(db);
    const dataKeys = testDataKeys(database);
    const storeNow = (leads: readonly NewLead[]) => storeLeadBatch({ db, dataKeys, now: () => now }, leads);
    const [first, ...others] = Array.from({ length: 3 }, () => newLead({ providerId }));
    if (first === undefined) throw new Error('no lead');
    await storeNow([first, ...others]);
    expect(await sql`select distinct xmin::text from leads`).toHaveLength(1);
    await db.transaction(async (tx) => {
      await lockPersons(tx, [first.lead]);
      await expect(
        storeNow([newLead({ providerId, email: first.lead.email }), newLead({ providerId })]),
      ).rejects.toThrow(expect.objectContaining({ cause: expect.objectContaining({ code: '55P03' }) }));
    });
    expect(await sql`select 1 from leads`).toHaveLength(3);
  });

  test.each(['consent_records', 'lead_attribution', 'deliveries'])(
    'is not stored at all if %s can’t be written',
    async (table) => {
      meets('D.leads.07 D.deliveries.03');
      await using database = await testDb();
      const { sql } = database;
      const { id: providerId } = await insertProvider(database.db);
      await sql`alter table ${sql(table)} add constraint nothing_more check (false) not valid`;
      await expect(store(database, [newLead({ providerId })])).rejects.toThrow(/nothing_more|Failed query/);
      for (const written of ['leads', 'consent_records', 'deliveries', 'idempotency_keys'])
        expect([written, await sql`select 1 from ${sql(written)}`]).toEqual([written, []]);
      await sql`alter table ${sql(table)} drop constraint nothing_more`;
      await store(database, [newLead({ providerId })]);
      expect(await sql`select 1 from leads`).toHaveLength(1);
    },
  );

  test('makes a person’s second lead a repeat, and only the first gets an email', async () => {
    await using database = await testDb();
    const { id: providerId } = await insertProvider(database.db);
    const person = { email: 'same@mail.example', phone: '+13035559999' };
    const [first, second, byPhone] = await store(database, [
      newLead({ providerId, ...person }),
      newLead({ providerId, ...person }),
      newLead({ providerId, phone: person.phone }),
    ]);
    expect(await leadRows(database)).toEqual([
      { id: first, duplicateOf: null },
      { id: second, duplicateOf: first },
      { id: byPhone, duplicateOf: first },
    ]);
    const deliveries = await database.sql`
      select lead_id::int as id, state, reason, corrects_lead_id::int as corrects from deliveries order by lead_id`;
    expect(deliveries).toEqual([
      { id: first, state: 'queued', reason: null, corrects: null },
      { id: second, state: 'cancelled', reason: repeatReason, corrects: null },
      { id: byPhone, state: 'queued', reason: null, corrects: first },
    ]);
  });

  test('makes leads repeats of a stored lead, but not of spam', async () => {
    await using database = await testDb();
    const { id: providerId } = await insertProvider(database.db);
    const [spam, stored] = await store(database, [
      newLead({ providerId, email: 'ada@mail.example', quarantineReason: 'honeypot' }),
      newLead({ providerId, email: 'ada@mail.example', phone: '+13035558888' }),
    ]);
    const later = await store(database, [
      newLead({ providerId, phone: '+13035558888' }),
      newLead({ providerId, email: 'ada@mail.example' }),
    ]);
    expect(await leadRows(database)).toEqual([
      { id: spam, duplicateOf: null },
      { id: stored, duplicateOf: null },
      ...later.map((id) => ({ id, duplicateOf: stored })),
    ]);
  });

  test('answers the second of two equal keys like the first and does not store it', async () => {
    await using database = await testDb();
    const { id: providerId } = await insertProvider(database.db);
    const list = [
      newLead({ providerId, key: 'equal' }),
      newLead({ providerId, key: 'equal' }),
      newLead({ providerId }),
    ];
    const results = await database.db.transaction((tx) => storeLeads(tx, list, { now, identityKey: null }));
    const [first, second, third] = results;
    expect(second).toEqual({
      stored: false,
      requestSha256: list[0]?.claim.requestSha256,
      body: first?.body,
    });
    expect([first?.stored, third?.stored]).toEqual([true, true]);
    expect(await database.sql`select 1 from leads`).toHaveLength(2);
    expect(await database.sql`select 1 from consent_records`).toHaveLength(2);
    // Also where another transaction stored the key.
    expect(await store(database, list)).toEqual([null, null, null]);
    expect(await database.sql`select 1 from leads`).toHaveLength(2);
  });

  test('never deadlocks with a batch of the same keys and persons in reverse order', async () => {
    await using database = await testDb();
    const { id: providerId } = await insertProvider(database.db);
    for (let round = 0; round < 5; round += 1) {
      const list = Array.from({ length: 20 }, () => newLead({ providerId }));
      const stored = await Promise.all([store(database, list), store(database, list.toReversed())]);
      expect(stored.flat().filter((id) => id !== null)).toHaveLength(20);
    }
  });
});

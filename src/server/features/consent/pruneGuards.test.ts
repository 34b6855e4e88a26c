import { describe, expect, test } from 'vitest';
import { createDataKeys } from '#server/security/dataKeys.ts';
import { longAgo, sealAll, sealKey, storeEvidence, tamper } from '#test/support/evidence.ts';
import { testDb, type TestDb } from '#test/support/testDb.ts';
import { testSecret } from '#test/support/testKeys.ts';
import { eraseConsentRecords } from './consentErasure.ts';
import { sha256 } from './evidenceFields.ts';
import { storeSnapshot } from './formSnapshots.ts';

const refused = { code: '23001' };

/** A checkpoint after this seal, as a forger with the owner's role would write it. */
async function cover({ sql }: TestDb, seq: number): Promise<void> {
  await sql`insert into consent_checkpoints
    select ${seq}, repeat('a', 64), null, 1, now(), now(), id, repeat('a', 64) from data_keys where purpose = 'consent-seal'`;
}

async function storeForm(database: TestDb, html: string, createdAt: Date): Promise<string> {
  const form = { html, sha256: sha256(html) };
  await storeSnapshot(database.db, form);
  await tamper(
    database,
    `update consent_form_snapshots set created_at = '${createdAt.toISOString()}' where sha256 = '${form.sha256}'`,
  );
  return form.sha256;
}

function toRows({ sql }: TestDb, table: string) {
  return sql`select 1 from ${sql(table)}`;
}

describe('the database refuses', () => {
  const covering = `insert into consent_checkpoints
    select max(seq), repeat('a', 64), null, 1, now(), now(), 'consent-seal-1', repeat('a', 64) from consent_seals`;
  test.each([
    ['old evidence without a checkpoint', null, 'delete from consent_records where id = 1'],
    ['a young record with a checkpoint', covering, 'delete from consent_records where id = 2'],
    ['the seal of a record that is left', covering, 'delete from consent_seals where seq = 1'],
    ['a young withdrawal', covering, 'delete from consent_withdrawals'],
    ['a form that is in use', covering, 'delete from consent_form_snapshots'],
    ['a changed checkpoint', covering, 'update consent_checkpoints set records = 0'],
    ['a removed checkpoint', covering, 'delete from consent_checkpoints'],
    ['no checkpoints', covering, 'truncate consent_checkpoints'],
  ])('%s', async (_, first, statement) => {
    await using database = await testDb();
    const form = { html: '<form>', sha256: sha256('<form>') };
    await storeSnapshot(database.db, form);
    await storeEvidence(database, 1, { at: longAgo, formSha256: form.sha256 });
    await storeEvidence(database, 1);
    await sealAll(database);
    await database.sql`insert into consent_withdrawals (lead_id, at, how, by) values (99, now(), 'page', 'Visitor')`;
    await createDataKeys({ db: database.db, secretKeys: [testSecret] }).current('consent-seal');
    if (first !== null) await database.sql.unsafe(first);
    await expect(database.sql.unsafe(statement)).rejects.toMatchObject(refused);
    // With its checkpoint, the old record may go.
    if (first !== null) await database.sql`delete from consent_records where id = 1`;
  });
});

test('an old record after the checkpoint can’t be removed, one before it can', async () => {
  await using database = await testDb();
  const { sql } = database;
  await storeEvidence(database, 2, { at: longAgo });
  await sealAll(database);
  await cover(database, 1);
  await expect(sql`delete from consent_records where id = 2`).rejects.toMatchObject(refused);
  await sql`delete from consent_records where id = 1`;
  expect(await toRows(database, 'consent_records')).toHaveLength(1);
});

test('an erasure whose seal no checkpoint covers can’t be removed after its record', async () => {
  await using database = await testDb();
  const { sql, db } = database;
  const [id = 0] = await storeEvidence(database, 1, { at: longAgo });
  await sealAll(database);
  const key = await sealKey(database);
  await db.transaction((tx) => eraseConsentRecords(tx, [id], { at: new Date(), sealKey: key }));
  await cover(database, 1);
  await sql`delete from consent_records`;
  await expect(sql`delete from consent_erasures`).rejects.toMatchObject(refused);
  await cover(database, 2);
  await sql`delete from consent_erasures`;
  expect(await toRows(database, 'consent_erasures')).toHaveLength(0);
});

test('an old withdrawal stays as long as its lead or record, and without a checkpoint', async () => {
  await using database = await testDb();
  const { sql } = database;
  await storeEvidence(database, 2, { at: longAgo });
  await sealAll(database);
  await sql`insert into consent_withdrawals (lead_id, at, how, by) values (1, ${longAgo.toISOString()}, 'page', 'Visitor')`;
  const remove = () => sql`delete from consent_withdrawals`;
  await tamper(database, 'delete from leads where id = 1; delete from consent_records where lead_id = 1');
  await expect(remove()).rejects.toMatchObject(refused);
  await cover(database, 1);
  await tamper(database, 'update consent_withdrawals set lead_id = 2; delete from consent_records');
  await expect(remove()).rejects.toMatchObject(refused);
  await tamper(database, 'update leads set deleted_at = now(), erased_at = now()');
  await remove();
  expect(await toRows(database, 'consent_withdrawals')).toHaveLength(0);
});

test('a withdrawal stays as long as the record of its purged lead', async () => {
  await using database = await testDb();
  const { sql } = database;
  await storeEvidence(database, 1, { at: longAgo });
  await sealAll(database);
  await cover(database, 1);
  await sql`insert into consent_withdrawals (lead_id, at, how, by) values (1, ${longAgo.toISOString()}, 'page', 'Visitor')`;
  await sql`delete from leads`;
  await expect(sql`delete from consent_withdrawals`).rejects.toMatchObject(refused);
});

test('an old form stays while a record refers to it, a young one always', async () => {
  await using database = await testDb();
  const { sql } = database;
  const used = await storeForm(database, '<used>', longAgo);
  const young = await storeForm(database, '<young>', new Date());
  const unused = await storeForm(database, '<unused>', longAgo);
  await storeEvidence(database, 1, { at: longAgo, formSha256: used });
  await sealAll(database);
  const remove = (form: string) => sql`delete from consent_form_snapshots where sha256 = ${form}`;
  await expect(remove(unused)).rejects.toMatchObject(refused);
  await cover(database, 1);
  await expect(remove(used)).rejects.toMatchObject(refused);
  await expect(remove(young)).rejects.toMatchObject(refused);
  await remove(unused);
  expect(await toRows(database, 'consent_form_snapshots')).toHaveLength(2);
});

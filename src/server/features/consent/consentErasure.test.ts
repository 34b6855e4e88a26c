import { describe, expect, test } from 'vitest';
import { consentRecords, consentSealQueue } from '#server/db/schema/index.ts';
import { leadCreateInput } from '#shared/submissions/leadInput.ts';
import { testCaller } from '#test/support/caller.ts';
import { sealAll, sealKey as sealKeyOf, tamper } from '#test/support/evidence.ts';
import { leadInput } from '#test/support/factories.ts';
import { type IntakeSetup, setUpIntake } from '#test/support/intakeSetup.ts';
import { testSecret } from '#test/support/testKeys.ts';
import { testDb, type TestDb } from '#test/support/testDb.ts';
import { erasedValueHash, eraseConsentRecords } from './consentErasure.ts';
import { verifyConsent } from './consentVerify.ts';
import { consentRowHash, personalNames } from './evidenceFields.ts';
import { consentRecord } from './recordConsent.ts';

const at = new Date('2026-06-02T12:00:00Z');
const ada = leadInput({
  first_name: 'Ada',
  email: 'ada@mail.example',
  form: 'quiz',
  acceptance_message: 'I, Ada, agree.',
});

/** Stores three records of different people; the second is Ada's. */
async function store(setup: IntakeSetup): Promise<number[]> {
  for (const input of [leadInput({ form: 'quiz' }), ada, leadInput({ form: 'quiz' })])
    await setup.send(input);
  const rows = await setup.database.sql<{ id: string }[]>`select id from consent_records order by id`;
  return rows.map(({ id }) => Number(id));
}

async function listFaults({ db }: TestDb): Promise<[number | null, string][]> {
  const faults: [number | null, string][] = [];
  await verifyConsent(db, ({ recordId, problem }) => faults.push([recordId, problem]), [testSecret]);
  return faults;
}

async function erase(database: TestDb, ids: number[]): Promise<void> {
  const sealKey = await sealKeyOf(database);
  await database.db.transaction((tx) => eraseConsentRecords(tx, ids, { at, sealKey }));
}

test('an erased record keeps its hash and seal, and salted hashes of its values', async () => {
  await using setup = await setUpIntake();
  const { database } = setup;
  const [, second = 0] = await store(setup);
  const [before] =
    await database.sql`select row_hash, accepted_at, text_sha256 from consent_records where id = ${second}`;
  // One is erased before it is sealed.
  await erase(database, [second]);
  const [after] = await database.sql`select * from consent_records where id = ${second}`;
  expect(after).toMatchObject({
    ...before,
    first_name: '',
    email: '',
    ip: '0.0.0.0',
    user_agent: null,
    text_shown: '',
  });
  const seals = await database.sql`select record_id::int as record, sealed from consent_seals order by seq`;
  expect([...seals]).toEqual([
    { record: second - 1, sealed: 'record' },
    { record: second, sealed: 'record' },
    { record: second + 1, sealed: 'record' },
    { record: second, sealed: 'erasure' },
  ]);
  const [erasure] = await database.sql<
    { salt: string; hashes: Record<string, string | null> }[]
  >`select salt, hashes from consent_erasures where record_id = ${second}`;
  const salt = erasure?.salt ?? '';
  expect(erasure?.hashes['email']).toBe(erasedValueHash(salt, 'email', 'ada@mail.example'));
  expect(erasure?.hashes['text_shown']).toBe(erasedValueHash(salt, 'text_shown', 'I, Ada, agree.'));
  expect(Object.keys(erasure?.hashes ?? {}).toSorted()).toEqual([...personalNames].toSorted());
  expect(await listFaults(database)).toEqual([]);
  await setup.send(leadInput({ form: 'quiz' }));
  await sealAll(database);
  expect(await listFaults(database)).toEqual([]);
});

/** A record as a version of the product made it that knew only the columns of that hash version. */
async function insertVersion({ db }: TestDb, version: 1 | 2 | 3 | 4): Promise<void> {
  const made = consentRecord({
    caller: testCaller(),
    submission: { ...leadCreateInput.parse(ada), answers: undefined },
    formShown: 'landing',
    leadId: 9_000 + version,
    leadPublicId: crypto.randomUUID(),
    acceptedAt: at,
    seller: null,
    formSha256: null,
    msFromRender: null,
  });
  const answers = '[{"id":"x","question":"When?","answer":"Noon “sharp”"}]';
  const facts = {
    ...{ ...made, hashVersion: version, answers: version < 4 ? null : answers },
    ...(version < 3 ? { formVersion: null, purpose: null, clientClock: null, prechecked: null } : {}),
    ...(version < 2 ? { leadPublicId: null, origin: null, fetchSite: null } : {}),
  };
  const [stored] = await db
    .insert(consentRecords)
    .values({ ...facts, rowHash: consentRowHash(facts) })
    .returning({ recordId: consentRecords.id });
  await db.insert(consentSealQueue).values(stored === undefined ? [] : [stored]);
}

test('evidence of each hash version verifies, and again after its erasure', async () => {
  await using database = await testDb();
  for (const version of [1, 2, 3, 4] as const) await insertVersion(database, version);
  await sealAll(database);
  expect(await listFaults(database)).toEqual([]);
  const rows = await database.sql<{ id: string }[]>`select id from consent_records order by hash_version`;
  expect(rows).toHaveLength(4);
  const ids = rows.map(({ id }) => Number(id));
  await erase(database, ids);
  expect(await listFaults(database)).toEqual([]);
  const [{ answers, hashes, salt } = {}] = await database.sql`
    select answers, hashes, salt from consent_records join consent_erasures on record_id = id where hash_version = 4`;
  expect(answers).toBeNull();
  const hash = erasedValueHash(salt, 'answers', '[{"id":"x","question":"When?","answer":"Noon “sharp”"}]');
  expect(hashes).toMatchObject({ answers: hash });
});

describe('a process of 1.0, which knows no answers,', () => {
  /** What it writes: it neither hashes nor blanks answers. */
  async function eraseAsBefore(database: TestDb): Promise<void> {
    const salt = '0'.repeat(32);
    const personal = personalNames.filter((name) => name !== 'answers').join(',');
    const columns = `first_name = '', last_name = '', email = '', phone = '', ip = '0.0.0.0', user_agent = null,
      page_url = null, referrer_host = null, origin = null, text_shown = case when text_known then text_shown else '' end`;
    await database.sql.unsafe(`
      insert into consent_erasures (record_id, at, salt, hashes, was_intact, erasure_hash)
      select id, now(), '${salt}', (
        select jsonb_object_agg(name, encode(sha256(convert_to('${salt}' || E'\n' || name || E'\n' ||
          (case when name = 'text_shown' and text_known then null else to_jsonb(r) ->> name end), 'UTF8')), 'hex'))
        from unnest('{${personal}}'::text[]) as name), true, '${'a'.repeat(64)}'
      from consent_records as r;
      update consent_records set ${columns}`);
  }

  test('erases evidence without answers during an upgrade', async () => {
    await using database = await testDb();
    await insertVersion(database, 3);
    await eraseAsBefore(database);
    expect([...(await database.sql`select email from consent_records`)]).toEqual([{ email: '' }]);
  });

  test('can’t erase evidence with answers and leave them', async () => {
    await using database = await testDb();
    await insertVersion(database, 4);
    await expect(eraseAsBefore(database)).rejects.toThrow('append-only');
  });
});

describe('verification reports a change of an erased record', () => {
  test.each([
    [
      "update consent_records set text_shown = 'I agree to more.' where id = $",
      'what its erasure left does not match the hash of that',
    ],
    [
      "update consent_records set accepted_at = accepted_at - interval '1 day' where id = $",
      'what its erasure left does not match the hash of that',
    ],
    [
      "update consent_records set email = 'someone@else.example' where id = $",
      'what its erasure left does not match the hash of that',
    ],
    [
      'update consent_erasures set hashes = hashes || \'{"email": null}\' where record_id = $',
      'what its erasure left does not match the hash of that',
    ],
    [
      "update consent_erasures set at = at + interval '1 day' where record_id = $",
      'what its erasure left does not match the hash of that',
    ],
    [
      `update consent_erasures set salt = '${'0'.repeat(32)}' where record_id = $`,
      'what its erasure left does not match the hash of that',
    ],
    ['delete from consent_erasures where record_id = $', 'its content does not match its hash'],
    ["delete from consent_seals where sealed = 'erasure' and record_id = $", 'its erasure has no seal'],
  ])('%s', async (statement, problem) => {
    await using setup = await setUpIntake();
    const { database } = setup;
    const [, second = 0] = await store(setup);
    await erase(database, [second]);
    await tamper(database, statement.replace('$', String(second)));
    expect(await listFaults(database)).toContainEqual([second, problem]);
  });

  test('an erasure with a recomputed hash does not match its seal', async () => {
    await using setup = await setUpIntake();
    const { database } = setup;
    const [, second = 0] = await store(setup);
    await erase(database, [second]);
    await tamper(database, `update consent_erasures set erasure_hash = '${'a'.repeat(64)}'`);
    expect(await listFaults(database)).toContainEqual([second, 'its seal was not made from its content']);
  });

  test('a record that was changed before its erasure is still reported', async () => {
    await using setup = await setUpIntake();
    const { database } = setup;
    const [, second = 0] = await store(setup);
    await tamper(database, `update consent_records set gpc = not gpc where id = ${second}`);
    await erase(database, [second]);
    expect(await listFaults(database)).toEqual([
      [second, 'its content did not match its hash when it was erased'],
    ]);
  });
});

describe('the database refuses', () => {
  const blank = `first_name = '', last_name = '', email = '', phone = '', ip = '0.0.0.0', user_agent = null, page_url = null, referrer_host = null, text_shown = ''`;
  const hash = 'a'.repeat(64);
  const wrongHashes = `insert into consent_erasures values ($, now(), '${'0'.repeat(32)}', '{}', true, '${hash}')`;

  test.each([
    ['blanking without the hashes', [], `update consent_records set ${blank} where id = $`],
    ['blanking with wrong hashes', [wrongHashes], `update consent_records set ${blank} where id = $`],
    ['any other change with an erasure', ['erase'], `update consent_records set gpc = not gpc where id = $`],
    ['restoring a value', ['erase'], `update consent_records set email = 'ada@mail.example' where id = $`],
    ['deleting an erased record', ['erase'], 'delete from consent_records where id = $'],
    ['changing an erasure', ['erase'], 'update consent_erasures set was_intact = true'],
    ['deleting an erasure', ['erase'], 'delete from consent_erasures'],
    ['truncating the erasures', ['erase'], 'truncate consent_erasures'],
  ])('%s', async (_, first, statement) => {
    await using setup = await setUpIntake();
    const { database } = setup;
    const [, second = 0] = await store(setup);
    const run = (text: string) => database.sql.unsafe(text.replace('$', String(second)));
    for (const step of first) await (step === 'erase' ? erase(database, [second]) : run(step));
    await expect(run(statement)).rejects.toMatchObject({ code: '23001' });
  });

  test('updates of a withdrawal, except blanking its address after an erasure', async () => {
    await using setup = await setUpIntake();
    const { database } = setup;
    const [, second = 0] = await store(setup);
    const { sql } = database;
    await sql`
      insert into consent_withdrawals (lead_id, at, how, by, ip)
      select lead_id, now(), 'page', 'Visitor', '198.51.100.7' from consent_records where id = ${second}`;
    await expect(sql`update consent_withdrawals set ip = null`).rejects.toMatchObject({ code: '23001' });
    await erase(database, [second]);
    await expect(sql`update consent_withdrawals set ip = null, by = 'x'`).rejects.toMatchObject({
      code: '23001',
    });
    await sql`update consent_withdrawals set ip = null`;
    await expect(sql`update consent_withdrawals set ip = '198.51.100.7'`).rejects.toMatchObject({
      code: '23001',
    });
  });
});

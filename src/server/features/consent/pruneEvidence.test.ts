import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { consentCheckpoints, consentSeals } from '#server/db/schema/index.ts';
import {
  longAgo,
  sealAll,
  sealKey,
  storeEvidence,
  tamper,
  verifyEvidence as verify,
} from '#test/support/evidence.ts';
import { testDb, type TestDb } from '#test/support/testDb.ts';
import { testSecret } from '#test/support/testKeys.ts';
import { checkpointHmac } from './checkpoints.ts';
import { readSealBacklog } from './consentChain.ts';
import { eraseConsentRecords } from './consentErasure.ts';
import { sha256 } from './evidenceFields.ts';
import { storeSnapshot } from './formSnapshots.ts';
import { pruneEvidence } from './pruneEvidence.ts';

type Options = Partial<Parameters<typeof pruneEvidence>[1]>;

async function prune(database: TestDb, options: Options = {}) {
  const key = await sealKey(database);
  return pruneEvidence(database.db, { secretKeys: [testSecret], key, removes: true, ...options });
}

/** Seals records of that age. Returns the ids of all records. */
async function sealed(database: TestDb, count: number, at?: Date): Promise<number[]> {
  const ids = await storeEvidence(database, count, at === undefined ? {} : { at });
  await sealAll(database);
  return ids;
}

async function seqsLeft({ sql }: TestDb): Promise<number[]> {
  return (await sql<{ seq: string }[]>`select seq from consent_seals order by seq`).map(({ seq }) =>
    Number(seq),
  );
}

test('only the prefix before the first record that must be kept is removed', async () => {
  await using database = await testDb();
  await sealed(database, 3, longAgo);
  const ids = await sealed(database, 1);
  await sealed(database, 2, longAgo);
  const expected = { seals: 3, records: 3, lastSeq: 3, kept: { seq: 4, recordId: ids[3] } };
  expect(await prune(database, { removes: false })).toMatchObject(expected);
  expect(await seqsLeft(database)).toHaveLength(6);
  expect(await prune(database)).toMatchObject(expected);
  expect(await seqsLeft(database)).toEqual([4, 5, 6]);
  expect(await database.sql`select 1 from consent_records`).toHaveLength(3);
  expect(await verify(database)).toMatchObject({
    summary: { records: 3, seals: 3, faults: 0, head: { seq: 6 }, pruned: { seq: 3, records: 3 } },
    lines: [],
  });
  expect(await prune(database)).toMatchObject({ seals: 0, lastSeq: null, kept: { seq: 4 } });
});

test('a dry run counts over several batches what a run removes', async () => {
  await using database = await testDb();
  await sealed(database, 5, longAgo);
  await sealed(database, 1);
  const counted = await prune(database, { removes: false, batchSize: 2 });
  expect(counted).toMatchObject({ seals: 5, records: 5, lastSeq: 5, kept: { seq: 6 } });
  expect(await prune(database, { batchSize: 2 })).toEqual(counted);
});

test('after every record was removed, new ones continue the chain, through two prunes', async () => {
  await using database = await testDb();
  await sealed(database, 2, longAgo);
  expect(await prune(database)).toMatchObject({ seals: 2, kept: null });
  expect((await verify(database)).summary).toMatchObject({
    records: 0,
    seals: 0,
    faults: 0,
    head: { seq: 2 },
  });
  expect((await readSealBacklog(database.db, new Date())).sequence).toBe(2);
  await sealed(database, 2, longAgo);
  await sealed(database, 1);
  expect(await seqsLeft(database)).toEqual([3, 4, 5]);
  expect((await verify(database)).lines).toEqual([]);
  expect(await prune(database)).toMatchObject({ seals: 2, lastSeq: 4 });
  await sealed(database, 1);
  expect(await verify(database)).toMatchObject({
    summary: { records: 2, seals: 2, head: { seq: 6 }, pruned: { seq: 4, records: 4 } },
    lines: [],
  });
});

test('an interrupted run leaves a valid chain, and another one continues it', async () => {
  await using database = await testDb();
  await sealed(database, 5, longAgo);
  await sealed(database, 1);
  const stopping = new AbortController();
  const stopped = { batchSize: 2, signal: stopping.signal, onBatch: () => stopping.abort() };
  expect(await prune(database, stopped)).toMatchObject({ seals: 2, lastSeq: 2, kept: null });
  expect(await verify(database)).toMatchObject({ summary: { seals: 4 }, lines: [] });
  expect(await prune(database, { batchSize: 2 })).toMatchObject({ seals: 3, lastSeq: 5, kept: { seq: 6 } });
  const checkpoints = await database.sql`
    select seq::int, previous_seq::int as previous, records from consent_checkpoints order by seq`;
  expect([...checkpoints]).toEqual([
    { seq: 2, previous: null, records: 2 },
    { seq: 4, previous: 2, records: 2 },
    { seq: 5, previous: 4, records: 1 },
  ]);
  expect((await verify(database)).lines).toEqual([]);
});

test('two runs at the same time remove each seal once', async () => {
  await using database = await testDb();
  await sealed(database, 6, longAgo);
  const reports = await Promise.all([prune(database, { batchSize: 1 }), prune(database, { batchSize: 1 })]);
  expect(reports.reduce((sum, { seals }) => sum + seals, 0)).toBe(6);
  expect((await verify(database)).summary).toMatchObject({
    seals: 0,
    faults: 0,
    pruned: { seq: 6, records: 6 },
  });
});

test('the erasure of a removed record stays until its own seal is removed', async () => {
  await using database = await testDb();
  const [first = 0] = await sealed(database, 2, longAgo);
  await sealed(database, 1);
  const key = await sealKey(database);
  await database.db.transaction((tx) => eraseConsentRecords(tx, [first], { at: new Date(), sealKey: key }));
  expect(await prune(database)).toMatchObject({ seals: 2, kept: { seq: 3 } });
  expect(await database.sql`select 1 from consent_erasures`).toHaveLength(1);
  expect((await verify(database)).lines).toEqual([]);
});

test('an erased record and its erasure are removed with their seals', async () => {
  await using database = await testDb();
  const [first = 0] = await sealed(database, 2, longAgo);
  const key = await sealKey(database);
  await database.db.transaction((tx) => eraseConsentRecords(tx, [first], { at: new Date(), sealKey: key }));
  expect(await prune(database)).toMatchObject({ seals: 3, records: 2, lastSeq: 3 });
  expect(await database.sql`select 1 from consent_erasures`).toHaveLength(0);
  await sealed(database, 1);
  expect((await verify(database)).lines).toEqual([]);
});

test('a record that was changed to be removed early stops the run and is named', async () => {
  await using database = await testDb();
  await sealed(database, 1, longAgo);
  const [, second] = await sealed(database, 1);
  await tamper(database, `update consent_records set retain_until = '2020-01-01' where id = ${second}`);
  await expect(prune(database, { batchSize: 1 })).rejects.toThrow(
    `Consent record ${second} (seal 2): its content does not match its hash. Neither it nor what follows it was removed.`,
  );
  expect(await seqsLeft(database)).toEqual([2]);
});

test('without the secret of a key, nothing is removed', async () => {
  await using database = await testDb();
  await sealed(database, 1, longAgo);
  const run = prune(database, { secretKeys: ['another-key-another-key-another-01'] });
  await expect(run).rejects.toThrow('None of SECRET_KEYS opens the key consent-seal-1.');
  expect(await seqsLeft(database)).toEqual([1]);
});

describe('verification reports', () => {
  test.each([
    [
      'a changed count',
      'update consent_checkpoints set records = records + 1 where seq = 4',
      /^checkpoint 4: it has a wrong HMAC/,
    ],
    [
      'a changed hash',
      "update consent_checkpoints set seal_hash = repeat('a', 64) where seq = 4",
      /^checkpoint 4: it has a wrong HMAC/,
    ],
    [
      'a changed time',
      'update consent_checkpoints set accepted_until = now() where seq = 4',
      /^checkpoint 4: it has a wrong HMAC/,
    ],
    [
      'a changed HMAC',
      "update consent_checkpoints set hmac = repeat('a', 64) where seq = 2",
      /^checkpoint 2: it has a wrong HMAC/,
    ],
    [
      'an unknown key',
      "update consent_checkpoints set key_id = 'consent-seal-9' where seq = 4",
      /^checkpoint 4: it names a key that does not exist/,
    ],
    [
      'a missing first checkpoint',
      'delete from consent_checkpoints where seq = 2',
      /^checkpoint 4: it does not follow the beginning/,
    ],
    [
      'a missing last checkpoint',
      'delete from consent_checkpoints where seq = 4',
      /the chain has a gap: seal 3 is missing/,
    ],
    ['no checkpoint', 'delete from consent_checkpoints', /the chain has a gap: seal 1 is missing/],
    [
      'a prefix that was removed with a forged checkpoint',
      `delete from consent_seals where seq = 5; delete from consent_records where id = (select min(id) from consent_records);
       insert into consent_checkpoints select 5, prev_hash, 4, 1, now(), now(), 'consent-seal-1', repeat('a', 64)
       from consent_seals where seq = 6`,
      /^checkpoint 5: it has a wrong HMAC/,
    ],
  ])('%s', async (_, statement, problem) => {
    await using database = await testDb();
    await sealed(database, 4, longAgo);
    await sealed(database, 2);
    await prune(database, { batchSize: 2 });
    expect((await verify(database)).lines).toEqual([]);
    await tamper(database, statement);
    expect((await verify(database)).lines).toContainEqual(expect.stringMatching(problem));
    await expect(prune(database)).rejects.toThrow(/Run npm run consent:verify/);
  });

  test('a lead whose record is gone and not covered by a checkpoint', async () => {
    await using database = await testDb();
    await sealed(database, 2, longAgo);
    const [, , third] = await sealed(database, 1);
    await prune(database);
    await tamper(
      database,
      `delete from consent_records where id = ${third}; delete from consent_seals where seq = 3`,
    );
    expect((await verify(database)).lines).toEqual(['lead 3: the lead agreed, its consent record is gone']);
  });

  test('a checkpoint whose key no secret opens, and the leads behind it', async () => {
    await using database = await testDb();
    await sealed(database, 1, longAgo);
    await prune(database);
    const { lines } = await verify(database, ['another-key-another-key-another-01']);
    expect(lines).toEqual([
      "checkpoint 1: none of SECRET_KEYS opens its key consent-seal-1, so it can't be checked; add the key to SECRET_KEYS if it was used before",
      'lead 1: the lead agreed, its consent record is gone',
    ]);
    expect((await verify(database)).lines).toEqual([]);
  });

  test.each([
    ['young evidence', 0, 0, 'it removed evidence of T, which had to be kept longer'],
    ['a time in the future', 0, 6, 'its time T is in the future'],
    ['evidence of four years ago', -4, 0, 'it removed evidence of T, which had to be kept longer'],
    ['evidence of six years ago', -6, 0, null],
  ])('a checkpoint under the right key over %s', async (_, acceptedYears, atYears, problem) => {
    await using database = await testDb();
    await sealed(database, 2, longAgo);
    const { id: keyId, key } = await sealKey(database);
    const [last] = await database.db.select().from(consentSeals).where(eq(consentSeals.seq, 2));
    const year = new Date().getUTCFullYear();
    const checkpoint = {
      ...{ seq: 2, sealHash: last?.sealHash ?? '', previousSeq: null, records: 2 },
      acceptedUntil: new Date(new Date().setUTCFullYear(year + acceptedYears)),
      at: new Date(new Date().setUTCFullYear(year + atYears)),
    };
    const hmac = checkpointHmac(key, checkpoint);
    await database.db.insert(consentCheckpoints).values({ ...checkpoint, keyId, hmac });
    await tamper(database, 'delete from consent_records; delete from consent_seals; delete from leads');
    const { lines } = await verify(database);
    expect(lines.map((line) => line.replace(/\d{4}-\S+Z/, 'T'))).toEqual(
      problem === null ? [] : [`checkpoint 2: ${problem}`],
    );
  });
});

test('withdrawals and forms of removed records go after five years of their own', async () => {
  await using database = await testDb();
  const { sql } = database;
  for (const [html, at] of [
    ['<old>', longAgo],
    ['<unused>', longAgo],
    ['<kept>', longAgo],
    ['<new>', new Date()],
  ] as const) {
    await storeSnapshot(database.db, { html, sha256: sha256(html) });
    await tamper(
      database,
      `update consent_form_snapshots set created_at = '${at.toISOString()}' where html = '${html}'`,
    );
  }
  await storeEvidence(database, 4, { at: longAgo, formSha256: sha256('<old>') });
  await storeEvidence(database, 1, { formSha256: sha256('<kept>') });
  await sealAll(database);
  // Lead 1 is left, 2 is purged, 3 withdrew late, 4 is a tombstone, 5 has evidence.
  const late = new Date(Date.now() - 86_400_000);
  for (const [lead, at] of [
    [1, longAgo],
    [2, longAgo],
    [3, late],
    [4, longAgo],
    [5, longAgo],
  ] as const)
    await sql`insert into consent_withdrawals (lead_id, at, how, by) values (${lead}, ${at.toISOString()}, 'page', 'Visitor')`;
  await sql`delete from leads where id in (2, 3, 5)`;
  await sql`update leads set deleted_at = now(), erased_at = now() where id = 4`;
  expect(await prune(database)).toMatchObject({ seals: 4, withdrawals: 2, forms: 2 });
  const left = await sql<{ lead: number }[]>`select lead_id::int as lead from consent_withdrawals order by 1`;
  expect(left.map(({ lead }) => lead)).toEqual([1, 3, 5]);
  const forms = await sql<{ html: string }[]>`select html from consent_form_snapshots order by 1`;
  expect(forms.map(({ html }) => html)).toEqual(['<kept>', '<new>']);
  expect((await verify(database)).lines).toEqual([]);
});

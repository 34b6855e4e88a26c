import { describe, expect, test } from 'vitest';
import { rotateSecrets } from '#scripts/secretsRotate.ts';
import { createDataKeys } from '#server/security/dataKeys.ts';
import { erasedValueHash, eraseConsentRecords } from '#server/features/consent/consentErasure.ts';
import { evidenceNames, personalNames } from '#server/features/consent/evidenceFields.ts';
import { findLinkedLead } from '#server/features/leads/detail/linkedLead.ts';
import { readWithdrawal } from '#server/features/mail/linkTokens.ts';
import { verifyEvidence } from '#test/support/evidence.ts';
import { meets } from '#test/support/meets.ts';
import { testDb } from '#test/support/testDb.ts';
import { type ChainRow, dumpEvidence, loadChain, readChain } from './evidence/chain.ts';

/*
 * `evidence/chain.json` holds evidence as the product stored it when the file was made. It must verify for as long as
 * evidence is kept. A failure means that the product no longer reads what it once sealed: fix the product, or
 * `evidence/chain.ts` if a column was renamed. `evidence/makeChain.ts` made the file.
 */

/** Seals that were made before there were keys have no HMAC to check. */
const unchecked = [{ keyId: null, seals: 4 }];

test('the chain verifies with every row, seal and HMAC', async () => {
  meets('D.abuse.43');
  await using database = await testDb();
  const chain = await readChain();
  await loadChain(database, chain);
  const { summary, lines } = await verifyEvidence(database, chain.secretKeys);
  expect(lines).toEqual([]);
  expect(summary).toEqual({
    pruned: null,
    records: 12,
    seals: 14,
    waiting: 0,
    faults: 0,
    unchecked,
    head: chain.head,
  });
});

test('the chain has every kind of evidence', async () => {
  const { records, seals, erasures, withdrawals, sealKeys } = await readChain();
  const values = (rows: readonly ChainRow[], name: string) => new Set(rows.map((row) => row[name]));
  expect(values(records, 'hashVersion')).toEqual(new Set([1, 2]));
  expect(values(records, 'formKey')).toEqual(new Set(['landing', 'microsite', 'find', 'quiz', 'api']));
  expect(values(records, 'host')).toEqual(new Set(['localhost', 'main.example', 'amber-quay.example']));
  for (const name of ['textKnown', 'gpc']) expect(values(records, name)).toEqual(new Set([true, false]));
  for (const name of ['formSha256', 'sellerName', 'msFromRender', 'origin']) {
    const isNull = new Set(records.map((row) => row[name] === null));
    expect([name, isNull]).toEqual([name, new Set([true, false])]);
  }
  expect(values(seals, 'keyId')).toEqual(new Set([null, 'consent-seal-1', 'consent-seal-2']));
  expect(values(seals, 'sealed')).toEqual(new Set(['record', 'erasure']));
  expect([erasures.length, sealKeys.length]).toEqual([2, 2]);
  expect(values(withdrawals, 'how')).toEqual(new Set(['page', 'erasure']));
});

test('the loaded chain reads back unchanged', async () => {
  meets('D.abuse.43');
  await using database = await testDb();
  const { formSnapshots, records, erasures, withdrawals, sealKeys, seals } = await readChain();
  await loadChain(database, await readChain());
  expect(await dumpEvidence(database)).toEqual({
    formSnapshots,
    records,
    erasures,
    withdrawals,
    sealKeys,
    seals,
  });
});

/** Another value for each name, which its column accepts. */
const otherValues: Record<(typeof evidenceNames)[1 | 2][number], ChainRow[string]> = {
  acceptedAt: '2026-06-01T12:00:00.122Z',
  channels: ['call'],
  checked: false,
  email: 'other@mail.example',
  fetchSite: 'none',
  firstName: 'Other',
  formKey: 'other',
  formSha256: 'c'.repeat(64),
  gpc: true,
  hashVersion: 3,
  host: 'other.example',
  ip: '192.0.2.1',
  lastName: 'Other',
  leadId: 9_999,
  leadPublicId: '00000000-0000-4000-8000-000000000000',
  msFromRender: 1,
  origin: 'https://elsewhere.example',
  pageUrl: 'https://elsewhere.example/',
  phone: '(303) 555-0199',
  referrerHost: 'elsewhere.example',
  retainUntil: '2031-06-01T12:00:00.122Z',
  sellerName: 'Other',
  sellerProviderId: 9_999,
  textId: 'other',
  textKnown: false,
  textSha256: 'd'.repeat(64),
  textShown: 'Other words.',
  textVersion: 99,
  userAgent: 'Other/1.0',
  uuid: '00000000-0000-4000-8000-000000000001',
};

describe('one altered value is reported for its record and no other', () => {
  test.each([1, 2] as const)('in a record of hash version %i', async (version) => {
    await using database = await testDb();
    const chain = await readChain();
    const target = chain.records.find((row) => row['hashVersion'] === version && row['textKnown'] === true);
    expect(target).toBeDefined();
    // The database refuses an unchecked box.
    const names = evidenceNames[version].filter((name) => name !== 'checked');
    for (const name of names) {
      const records = chain.records.map((row) =>
        row === target ? { ...row, [name]: otherValues[name] } : row,
      );
      await loadChain(database, { ...chain, records });
      const { faults } = await verifyEvidence(database, chain.secretKeys);
      const problem = 'its content does not match its hash';
      expect([name, faults]).toEqual([
        name,
        expect.arrayContaining([expect.objectContaining({ recordId: target?.['id'], problem })]),
      ]);
      expect([name, new Set(faults.map(({ recordId }) => recordId))]).toEqual([
        name,
        new Set([target?.['id']]),
      ]);
    }
  });

  test('in what an erasure left, in a seal, in an HMAC and in a form', async () => {
    await using database = await testDb();
    const chain = await readChain();
    const isErasure = (row: ChainRow): boolean => row['recordId'] === chain.erased.recordId;
    const changes: [
      part: 'erasures' | 'seals' | 'formSnapshots',
      row: (row: ChainRow) => boolean,
      change: ChainRow,
    ][] = [
      ['erasures', isErasure, { salt: '0'.repeat(32) }],
      ['seals', ({ seq }) => seq === 6, { sealedAt: '2026-06-01T12:00:00Z' }],
      ['seals', ({ seq }) => seq === 6, { sealHmac: 'e'.repeat(64) }],
      [
        'formSnapshots',
        ({ sha256 }) => sha256 === chain.records[3]?.['formSha256'],
        { html: '<form></form>' },
      ],
    ];
    for (const [part, isTarget, change] of changes) {
      const rows = chain[part].map((row) => (isTarget(row) ? { ...row, ...change } : row));
      await loadChain(database, { ...chain, [part]: rows });
      expect([part, (await verifyEvidence(database, chain.secretKeys)).faults.length]).toEqual([part, 1]);
    }
  });
});

test('after a rotation of the secrets only the newest one checks every HMAC', async () => {
  await using database = await testDb();
  const chain = await readChain();
  await loadChain(database, chain);
  const newest = chain.secretKeys.slice(0, 1);
  const before = await verifyEvidence(database, newest);
  expect(before.summary.unchecked).toContainEqual({ keyId: 'consent-seal-1', seals: 6 });
  await rotateSecrets(database.db, chain.secretKeys);
  const { summary } = await verifyEvidence(database, newest);
  expect(summary).toMatchObject({ faults: 0, unchecked });
});

test('a value that was erased can be recognized by the hash that is kept of it', async () => {
  const { erased, erasures, records } = await readChain();
  const erasure = erasures.find(({ recordId }) => recordId === erased.recordId);
  const salt = erasure?.['salt'];
  if (typeof salt !== 'string') throw new Error('the erasure is not in the chain');
  // Made before evidence had answers.
  const names = personalNames.filter((name) => name !== 'answers');
  const hashes = names.map((name) => {
    const value = erased.values[name] ?? null;
    return [name, value === null ? null : erasedValueHash(salt, name, value)];
  });
  expect(hashes.filter(([, hash]) => hash !== null).length).toBeGreaterThan(7);
  expect(erasure?.['hashes']).toEqual(Object.fromEntries(hashes));
  expect(records.find(({ id }) => id === erased.recordId)).toMatchObject({ firstName: '', textShown: '' });
});

test('the records of the chain can still be erased, and the chain verifies', async () => {
  await using database = await testDb();
  const chain = await readChain();
  await loadChain(database, chain);
  const erased = new Set(chain.erasures.map(({ recordId }) => recordId));
  const ids = chain.records.map(({ id }) => Number(id)).filter((id) => !erased.has(id));
  expect(ids).toHaveLength(10);
  const { secretKeys } = chain;
  const sealKey = await createDataKeys({ db: database.db, secretKeys }).current('consent-seal');
  await database.db.transaction((tx) => eraseConsentRecords(tx, ids, { at: new Date(), sealKey }));
  const { summary, lines } = await verifyEvidence(database, secretKeys);
  expect(lines).toEqual([]);
  expect(summary).toMatchObject({ records: 12, seals: 24, unchecked });
  expect((await dumpEvidence(database)).records.filter(({ email }) => email !== '')).toEqual([]);
});

test('a withdrawal link from the time of the chain still names its lead', async () => {
  meets('D.abuse.44');
  await using database = await testDb();
  const chain = await readChain();
  await loadChain(database, chain);
  const { leadId, token } = chain.withdrawalLink;
  const publicId = readWithdrawal(chain.secretKeys, { token })?.publicId;
  expect(await findLinkedLead(database.db, publicId ?? '')).toBe(leadId);
  expect(chain.withdrawals).toContainEqual(expect.objectContaining({ leadId, how: 'page' }));
});

import { readFile, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { registry } from '#server/metrics.ts';
import { backupFolder } from '#test/support/backupSetup.ts';
import { testDb, type TestDb } from '#test/support/testDb.ts';
import { testDataKeys } from '#test/support/testKeys.ts';
import { openFileLedger } from './fileLedger.ts';
import type { LedgerEntry, LedgerTarget } from './ledgerEntry.ts';
import { followingEntries, readLedgerPosition } from './ledgerReplay.ts';
import { recordLedgerEntry } from './recordLedgerEntry.ts';
import { createLedgerShipper, readLedgerLag, shipEntries } from './shipLedger.ts';

const start = { sequence: 0, mac: '0'.repeat(64), at: null };
const { signal } = new AbortController();

/** Records suppressions of these addresses. */
async function suppressed(database: TestDb, ...emails: string[]): Promise<void> {
  const identityKey = (await testDataKeys(database).current('identity')).key;
  for (const emailNorm of emails)
    await recordLedgerEntry(database.db, {
      ...{ kind: 'suppressed', person: { emailNorm }, identityKey, leadIds: [], at: new Date() },
      ...{ reason: 'withdrawn', how: 'page' },
    });
}

function getShipping(database: TestDb, target: LedgerTarget) {
  return { db: database.db, dataKeys: testDataKeys(database), target };
}

test('entries are shipped once, in order, and verify', async () => {
  await using database = await testDb();
  await using folder = await backupFolder();
  const target = openFileLedger(folder.ledgerFile);
  const shipping = getShipping(database, target);
  await suppressed(database, 'a@mail.example', 'b@mail.example');
  expect(await shipEntries(shipping)).toBe(2);
  await suppressed(database, 'c@mail.example');
  expect(await shipEntries(shipping)).toBe(1);
  expect(await shipEntries(shipping)).toBe(0);
  const entries = await target.read(1);
  expect(entries.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
  expect(await followingEntries(entries, start, shipping.dataKeys)).toEqual(entries);
  const text = await readFile(folder.ledgerFile, 'utf8');
  expect(text).not.toContain('@');
  expect(await readLedgerPosition(database.db)).toMatchObject({ sequence: 3, mac: entries[2]?.mac });
});

test('several workers ship at the same time without a gap', async () => {
  await using database = await testDb();
  await using folder = await backupFolder();
  const target = openFileLedger(folder.ledgerFile);
  const shipping = getShipping(database, target);
  await suppressed(database, ...Array.from({ length: 30 }, (_, at) => `p${at}@mail.example`));
  await Promise.all([shipEntries(shipping), shipEntries(shipping), shipEntries(shipping)]);
  const entries = await followingEntries(await target.read(1), start, shipping.dataKeys);
  expect(entries.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 30 }, (_, at) => at + 1));
  expect(await readLedgerLag(database.db)).toEqual({ unshipped: 0, oldestSeconds: 0 });
});

test('a rolled back suppression leaves no gap in the shipped ledger', async () => {
  await using database = await testDb();
  await using folder = await backupFolder();
  const target = openFileLedger(folder.ledgerFile);
  await database.sql
    .begin(async (tx) => {
      await tx`insert into erasure_ledger (at, kind, lead_public_ids) values (now(), 'erased', '{}')`;
      throw new Error('rolled back');
    })
    .catch(() => undefined);
  await suppressed(database, 'a@mail.example');
  await shipEntries(getShipping(database, target));
  expect((await target.read(1)).map(({ sequence }) => sequence)).toEqual([1]);
});

test('while the place is unreachable entries wait, and the metrics show the lag', async () => {
  await using database = await testDb();
  await using folder = await backupFolder();
  const file = openFileLedger(folder.ledgerFile);
  let isAway = true;
  let attempts = 0;
  const target: LedgerTarget = {
    ...file,
    append: (entry, stop) => {
      attempts += 1;
      return isAway ? Promise.reject(new Error('away')) : file.append(entry, stop);
    },
  };
  const clock = { ms: 0 };
  const ship = createLedgerShipper({ ...getShipping(database, target), nowMs: () => clock.ms });
  await suppressed(database, 'a@mail.example', 'b@mail.example');
  await database.sql`update erasure_ledger set at = now() - interval '1 hour'`;
  await expect(ship(signal)).rejects.toThrow('away');
  expect(await registry.metrics()).toMatch(/^erasure_ledger_unshipped 2$/m);
  expect(await registry.metrics()).toMatch(/^erasure_ledger_oldest_unshipped_seconds 36\d\d/m);
  // The next attempt waits for its backoff.
  await ship(signal);
  expect(attempts).toBe(1);
  [isAway, clock.ms] = [false, 600_000];
  await ship(signal);
  expect(await registry.metrics()).toMatch(/^erasure_ledger_unshipped 0$/m);
  expect((await file.read(1)).map(({ sequence }) => sequence)).toEqual([1, 2]);
});

test('without a place entries wait, and nothing is numbered', async () => {
  await using database = await testDb();
  const { db, dataKeys } = { db: database.db, dataKeys: testDataKeys(database) };
  await suppressed(database, 'a@mail.example');
  await createLedgerShipper({ db, dataKeys, target: null })(signal);
  expect(await readLedgerLag(db)).toMatchObject({ unshipped: 1 });
  expect(await database.sql`select 1 from erasure_ledger where sequence is not null`).toHaveLength(0);
});

test('a restored database that was not replayed can’t continue the ledger', async () => {
  await using lost = await testDb();
  await using restored = await testDb();
  await using folder = await backupFolder();
  const target = openFileLedger(folder.ledgerFile);
  await suppressed(lost, 'a@mail.example');
  await shipEntries(getShipping(lost, target));
  await suppressed(restored, 'b@mail.example');
  await expect(shipEntries(getShipping(restored, target))).rejects.toThrow(
    /already has another entry 1: .* Run npm run restore -- --replay-only\./,
  );
  expect(await readLedgerLag(restored.db)).toMatchObject({ unshipped: 1 });
});

test('a line that a crash cut off is written again', async () => {
  await using database = await testDb();
  await using folder = await backupFolder();
  const target = openFileLedger(folder.ledgerFile);
  const shipping = getShipping(database, target);
  await suppressed(database, 'a@mail.example', 'b@mail.example');
  await shipEntries(shipping);
  const text = await readFile(folder.ledgerFile, 'utf8');
  await writeFile(folder.ledgerFile, text.slice(0, -40));
  await database.sql`update erasure_ledger set shipped_at = null where sequence = 2`;
  await shipEntries(shipping);
  const entries = await followingEntries(await target.read(1), start, shipping.dataKeys);
  expect(entries.map(({ sequence }) => sequence)).toEqual([1, 2]);
});

test('a file that lacks the entry before is refused', async () => {
  await using database = await testDb();
  await using folder = await backupFolder();
  const target = openFileLedger(folder.ledgerFile);
  await suppressed(database, 'a@mail.example', 'b@mail.example', 'c@mail.example');
  await shipEntries(getShipping(database, target));
  const [first = ''] = (await readFile(folder.ledgerFile, 'utf8')).split('\n');
  await writeFile(folder.ledgerFile, `${first}\n`);
  await database.sql`update erasure_ledger set shipped_at = null where sequence = 3`;
  await expect(shipEntries(getShipping(database, target))).rejects.toThrow(/ends at entry 1, but 3 is next/);
});

/** A database with three shipped entries, and the entries. */
async function threeEntries(database: TestDb, target: LedgerTarget): Promise<LedgerEntry[]> {
  await suppressed(database, 'a@mail.example', 'b@mail.example', 'c@mail.example');
  await shipEntries(getShipping(database, target));
  return target.read(1);
}

test('a replay refuses a gap, a changed entry, a cut ledger and another one', async () => {
  await using database = await testDb();
  await using other = await testDb();
  await using folder = await backupFolder();
  await using otherFolder = await backupFolder();
  const dataKeys = testDataKeys(database);
  const entries = await threeEntries(database, openFileLedger(folder.ledgerFile));
  const foreign = await threeEntries(other, openFileLedger(otherFolder.ledgerFile));
  const follow = (given: LedgerEntry[], from = start) => followingEntries(given, from, dataKeys);
  const [first, second, third] = entries;
  if (first === undefined || second === undefined || third === undefined) throw new Error('no entries');
  await expect(follow([first, third])).rejects.toThrow(/has a gap: entry 2 is missing/);
  await expect(follow([{ ...first, leads: [crypto.randomUUID()] }])).rejects.toThrow(
    /Entry 1 .* was changed/,
  );
  await expect(follow(foreign)).rejects.toThrow(/belongs to another database/);
  await expect(follow([...entries, ...foreign])).rejects.toThrow(/two different entries 1/);
  const position = { sequence: 3, mac: third.mac, at: null };
  await expect(follow([first, second], position)).rejects.toThrow(/lacks entry 3/);
  await expect(follow(foreign, position)).rejects.toThrow(/Entry 3 .* another installation/);
  expect(await follow([third, first, second, second])).toEqual(entries);
  expect(await follow(entries, position)).toEqual([]);
});

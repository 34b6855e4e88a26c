import { readFile, stat, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { parseConfig } from '#server/config/config.ts';
import { createLog } from '#server/log.ts';
import { backupFolder, type BackupFolder } from '#test/support/backupSetup.ts';
import { insertLead } from '#test/support/leadRows.ts';
import { buildLines } from '#test/support/logLines.ts';
import { testDb, type TestDb } from '#test/support/testDb.ts';
import { testDataKeys, testSecret } from '#test/support/testKeys.ts';
import { restoreAccess } from '../auth/restoreAccess.ts';
import { recordAccessChange } from './accessChanges.ts';
import { openFileLedger } from './fileLedger.ts';
import { formatNotes, readNotes } from './ledgerNotes.ts';
import { continueNumbers, createLedgerNoter, noteLedger } from './noteLedger.ts';
import { moveAfterRestore, readNumbers } from './numberSequences.ts';

const now = (): Date => new Date('2026-06-01T12:00:00Z');

function setUp(database: TestDb, folder: BackupFolder) {
  const target = openFileLedger(folder.ledgerFile);
  const dataKeys = testDataKeys(database);
  const services = { db: database.db, dataKeys, log: createLog('silent'), target, now };
  return {
    services,
    note: () => noteLedger(services),
    notes: () => readNotes(target, dataKeys),
    start: () =>
      continueNumbers({
        ...{ db: database.db, dataKeys, log: services.log },
        config: parseConfig({ SECRET_KEYS: testSecret, LEDGER_URL: folder.ledgerUrl }),
      }),
  };
}

/** Takes the numbers back to those of a backup. */
async function goBack({ sql }: TestDb, lead: number): Promise<void> {
  await sql`select setval('leads_id_seq', ${lead}), setval('provider_applications_id_seq', 1, false)`;
}

async function nextLead({ sql }: TestDb): Promise<number> {
  const [row] = await sql<{ id: string }[]>`select nextval('leads_id_seq') as id`;
  return Number(row?.id);
}

test('numbers and ends of access are noted once, signed, and without contact details', async () => {
  await using database = await testDb();
  await using folder = await backupFolder();
  const { note, notes } = setUp(database, folder);
  expect(await notes()).toBeNull();
  const { id } = await insertLead(database.db);
  await recordAccessChange(database.db, { kind: 'token-revoked', targetId: 7 });
  expect(await note()).toBe(true);
  expect(await note()).toBe(false);
  expect(await notes()).toEqual({
    format: 1,
    at: now().toISOString(),
    numbers: expect.objectContaining({ leads_id_seq: id }),
    access: [{ id: expect.any(String), kind: 'token-revoked', subject: 7, at: expect.any(String) }],
  });
  const path = `${folder.ledgerFile}.notes.json`;
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  const text = await readFile(path, 'utf8');
  expect(text).not.toContain('@');
  await writeFile(path, text.replace('token-revoked', 'account-removed'));
  await expect(notes()).rejects.toThrow('notes of the erasure ledger were changed');
  await writeFile(path, '{');
  await expect(note()).rejects.toThrow('notes of the erasure ledger were changed');
});

test('another database’s notes are refused and stay as they are', async () => {
  await using database = await testDb();
  await using other = await testDb();
  await using folder = await backupFolder();
  await setUp(other, folder).note();
  const before = await readFile(`${folder.ledgerFile}.notes.json`, 'utf8');
  await expect(setUp(database, folder).note()).rejects.toThrow('belong to another database');
  expect(await readFile(`${folder.ledgerFile}.notes.json`, 'utf8')).toBe(before);
});

test('what a later version noted stays, and is no fault', async () => {
  await using database = await testDb();
  await using folder = await backupFolder();
  const { services, note, notes } = setUp(database, folder);
  const change = {
    id: crypto.randomUUID(),
    kind: 'device-lost',
    subject: 7,
    at: now().toISOString(),
    by: 'x',
  };
  const later = {
    format: 1 as const,
    at: change.at,
    numbers: { leads_id_seq: 9 },
    access: [change],
    more: 1,
  };
  const key = await services.dataKeys.current('erasure-ledger');
  await services.target.writeNotes(formatNotes(key, later), { isFirst: true });
  await recordAccessChange(database.db, { kind: 'token-revoked', targetId: 8 });
  expect(await note()).toBe(true);
  expect(await notes()).toMatchObject({ access: [change, { kind: 'token-revoked' }], more: 1 });
  expect(await restoreAccess(database.db, { changes: [change], now: now() })).toEqual({
    ...{ sessions: 0, tokens: 0, accounts: 0, roles: 0, passwords: 0, secondFactors: 0, identities: 0 },
  });
  expect(await database.sql`select kind from access_changes`).toMatchObject([{ kind: 'token-revoked' }]);
});

test('a worker notes each minute, and an end of access within its next round', async () => {
  await using database = await testDb();
  await using folder = await backupFolder();
  const { services, notes } = setUp(database, folder);
  const clock = { ms: now().getTime() };
  const round = createLedgerNoter({ ...services, now: () => new Date(clock.ms) });
  await round();
  const last = async () => (await notes())?.numbers['leads_id_seq'] ?? 0;
  const { id } = await insertLead(database.db);
  clock.ms += 59_000;
  await round();
  expect(await last()).toBe(0);
  clock.ms += 1_000;
  await round();
  expect(await last()).toBe(id);
  await recordAccessChange(database.db, { kind: 'password-changed', targetId: 1 });
  clock.ms += 5_000;
  await round();
  expect((await notes())?.access).toHaveLength(1);
  await createLedgerNoter({ ...services, target: null })();
});

test('a start that finds the notes ahead moves the sequences once, and nothing else', async () => {
  await using database = await testDb();
  await using folder = await backupFolder();
  const { note, notes, start } = setUp(database, folder);
  const { id } = await insertLead(database.db);
  await database.sql`select setval('leads_id_seq', ${id + 350}), setval('provider_applications_id_seq', 9)`;
  await recordAccessChange(database.db, { kind: 'account-removed', targetId: 3 });
  await note();
  await database.sql`insert into staff_sessions (token_sha256, password_sha256, expires_at)
    values (repeat('0', 64), 'x', now() + interval '1 hour')`;
  await goBack(database, id);
  await database.sql`delete from access_changes`;
  const rows = async () => [
    ...(await database.sql`select 'lead' as kind, count(*)::int from leads union all
      select 'session', count(*)::int from staff_sessions union all select 'change', count(*)::int from access_changes`),
  ];
  const before = await rows();
  await Promise.all([start(), start()]);
  expect(await nextLead(database)).toBe(id + 350 + 100_001);
  await start();
  expect(await nextLead(database)).toBe(id + 350 + 100_002);
  expect((await readNumbers(database.db))['provider_applications_id_seq']).toBe(100_009);
  expect(await rows()).toEqual(before);
  // What the lost database noted isn't forgotten by the restored one.
  await note();
  expect(await notes()).toMatchObject({
    access: [{ kind: 'account-removed', subject: 3 }],
    numbers: { leads_id_seq: id + 350 + 100_002 },
  });
});

test('a worker moves and logs the sequences too, if the start could not read the notes', async () => {
  await using database = await testDb();
  await using folder = await backupFolder();
  const { log, lines } = buildLines();
  const { services, note } = setUp(database, folder);
  await database.sql`select setval('leads_id_seq', 500)`;
  await note();
  await goBack(database, 20);
  await noteLedger({ ...services, log });
  expect(lines()).toMatchObject([{ event: 'ledger.numbers-moved', sequences: ['leads_id_seq'] }]);
  expect(await nextLead(database)).toBe(100_501);
});

test('a start continues without a readable place', async () => {
  await using database = await testDb();
  await using folder = await backupFolder();
  const { note, start } = setUp(database, folder);
  await database.sql`select setval('leads_id_seq', 500)`;
  await note();
  await writeFile(`${folder.ledgerFile}.notes.json`, 'damaged');
  await start();
  expect(await nextLead(database)).toBe(501);
});

test('after a restore every sequence moves beyond its noted number, a second time none', async () => {
  await using database = await testDb();
  const { db } = database;
  const noted = { leads_id_seq: 350, providers_id_seq: 40, gone_id_seq: 9 };
  const moved = await moveAfterRestore(db, { noted, now: now() });
  expect(moved.toSorted()).toEqual(['leads_id_seq', 'providers_id_seq']);
  expect(await readNumbers(db)).toMatchObject({ leads_id_seq: 100_350, providers_id_seq: 100_040 });
  expect(await moveAfterRestore(db, { noted, now: now() })).toEqual([]);
});

test('without notes numbers continue a million and a clock’s part above the highest', async () => {
  await using database = await testDb();
  const { db, sql } = database;
  await insertLead(db, { id: 4_000 });
  await sql`select setval('leads_id_seq', 3)`;
  const restored = async (at: Date): Promise<number> => {
    await goBack(database, 3);
    const names = await moveAfterRestore(db, { noted: null, now: at });
    expect(names).toEqual(expect.arrayContaining(['provider_applications_id_seq', 'providers_id_seq']));
    return nextLead(database);
  };
  const first = await restored(now());
  expect(first).toBeGreaterThan(1_004_000);
  expect(await restored(new Date(now().getTime() + 60_000))).toBe(first + 60);
  // Seals have no sequence: their numbers have no gaps.
  expect(Object.keys(await readNumbers(db)).filter((name) => name.includes('seal'))).toEqual([]);
});

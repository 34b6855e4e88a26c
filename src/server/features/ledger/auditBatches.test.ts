import { readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { createLog } from '#server/log.ts';
import { backupFolder, type BackupFolder } from '#test/support/backupSetup.ts';
import { testDb, type TestDb } from '#test/support/testDb.ts';
import { testDataKeys } from '#test/support/testKeys.ts';
import { recordAudit, system } from '../audit/audit.ts';
import { auditBatchName, type AuditPosition, readAuditBatch } from './auditBatches.ts';
import { openFileLedger } from './fileLedger.ts';
import { genesisMac } from './ledgerEntry.ts';
import { readNotes } from './ledgerNotes.ts';
import { noteLedger } from './noteLedger.ts';

function setUp(database: TestDb, folder: BackupFolder) {
  const { db } = database;
  const dataKeys = testDataKeys(database);
  const target = openFileLedger(folder.ledgerFile);
  let ms = Date.parse('2026-06-01T12:00:00Z');
  const services = {
    db,
    dataKeys,
    target,
    log: createLog('silent'),
    now: () => new Date(ms),
    shipsAudit: true,
  };
  return {
    add: (more: number) => void (ms += more),
    services,
    ship: () => noteLedger(services),
    position: async () => (await readNotes(target, dataKeys))?.audit,
    record: async (count: number) => {
      for (let at = 0; at < count; at += 1)
        await recordAudit(db, {
          actor: system,
          ip: '203.0.113.9',
          action: 'sync.run',
          subject: null,
          detail: { at },
        });
    },
    key: () => dataKeys.current('erasure-ledger'),
  };
}

async function batchFiles({ ledgerFile }: BackupFolder): Promise<string[]> {
  const names = await readdir(dirname(ledgerFile));
  return names.filter((name) => name.startsWith(`${basename(ledgerFile)}.audit-`)).toSorted();
}

async function readBatches(folder: BackupFolder) {
  const texts: string[] = [];
  for (const name of await batchFiles(folder))
    texts.push(await readFile(join(dirname(folder.ledgerFile), name), 'utf8'));
  return texts;
}

function listIds(text: string): number[] {
  const { content }: { content: string } = JSON.parse(text);
  const { entries }: { entries: { id: number }[] } = JSON.parse(content);
  return entries.map(({ id }) => id);
}

const first: AuditPosition = { batch: 0, id: 0, mac: genesisMac, gaps: [] };

test('the audit log is shipped once, in signed and chained batches', async () => {
  await using database = await testDb();
  await using folder = await backupFolder();
  const { ship, record, position, key } = setUp(database, folder);
  await record(3);
  await ship();
  await ship();
  await record(2);
  await ship();
  const texts = await readBatches(folder);
  expect(texts.map(listIds)).toEqual([
    [1, 2, 3],
    [4, 5],
  ]);
  let at = first;
  for (const text of texts) at = readAuditBatch(await key(), at, text);
  expect(await position()).toEqual(at);
  expect(at).toMatchObject({ batch: 2, id: 5, gaps: [] });
  const changed = (texts[1] ?? '').replace('203.0.113.9', '203.0.113.8');
  const afterFirst = readAuditBatch(await key(), first, texts[0] ?? '');
  const data = await key();
  expect(() => readAuditBatch(data, afterFirst, changed)).toThrow('was changed');
  expect(() => readAuditBatch(data, first, texts[1] ?? '')).toThrow('was changed');
});

test('an entry that commits late is shipped; a number nobody used isn’t awaited long', async () => {
  await using database = await testDb();
  await using folder = await backupFolder();
  const { ship, record, position, services, add } = setUp(database, folder);
  await record(1);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: inserted, resolve: hasInserted } = Promise.withResolvers<void>();
  const slow = services.db.transaction(async (tx) => {
    await recordAudit(tx, { actor: system, ip: null, action: 'sync.run', subject: null });
    hasInserted();
    await released;
  });
  await inserted;
  await database.sql`select nextval('audit_log_id_seq')`;
  await record(1);
  await ship();
  expect((await position())?.gaps.map(({ id }) => id)).toEqual([2, 3]);
  release();
  await slow;
  await ship();
  expect((await readBatches(folder)).map(listIds)).toEqual([[1, 4], [2]]);
  add(60 * 60_000);
  await record(1);
  await ship();
  expect(await position()).toMatchObject({ batch: 3, id: 5, gaps: [] });
});

test('a batch that was stored before a crash counts, and a foreign one is refused', async () => {
  await using database = await testDb();
  await using other = await testDb();
  await using folder = await backupFolder();
  await using otherFolder = await backupFolder();
  const { ship, record, position } = setUp(database, folder);
  await record(2);
  await ship();
  const notes = `${folder.ledgerFile}.notes.json`;
  const before = await readFile(notes, 'utf8');
  await record(1);
  await ship();
  const after = await position();
  // As if the process had ended before it wrote the notes.
  await writeFile(notes, before);
  await record(1);
  await ship();
  expect((await readBatches(folder)).map(listIds)).toEqual([[1, 2], [3], [4]]);
  expect(await position()).toMatchObject({ batch: (after?.batch ?? 0) + 1, id: 4 });
  const foreign = setUp(other, otherFolder);
  await foreign.record(1);
  await foreign.ship();
  const [text = ''] = await readBatches(otherFolder);
  await writeFile(`${folder.ledgerFile}.${auditBatchName(4)}`, text);
  await record(1);
  await expect(ship()).rejects.toThrow('was changed, or belongs to another database');
});

test('thousands of entries are shipped in order, and without the setting none', async () => {
  await using database = await testDb();
  await using folder = await backupFolder();
  const { services, ship, position } = setUp(database, folder);
  await database.sql`
    insert into audit_log (actor_kind, actor_name, action)
    select 'command', 'System', 'sync.run' from generate_series(1, 2500)`;
  await noteLedger({ ...services, shipsAudit: false });
  expect([await batchFiles(folder), await position()]).toEqual([[], undefined]);
  await ship();
  expect((await readBatches(folder)).flatMap(listIds)).toEqual(
    Array.from({ length: 2_500 }, (_, at) => at + 1),
  );
  // What ships entries of the ledger only keeps the position.
  await noteLedger({ ...services, shipsAudit: false });
  expect(await position()).toMatchObject({ batch: 3, id: 2_500 });
  expect(
    await openFileLedger(folder.ledgerFile)
      .read(1)
      .catch(() => []),
  ).toEqual([]);
});

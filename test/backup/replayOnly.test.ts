import { readFile, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { createBackup } from '#scripts/backup/createBackup.ts';
import { createLog } from '#server/log.ts';
import { auditLog } from '#server/db/schema/index.ts';
import { recordAudit, system } from '#server/features/audit/audit.ts';
import { endToken, makeToken } from '#server/features/auth/tokens.ts';
import { readNotes } from '#server/features/ledger/ledgerNotes.ts';
import { noteLedger } from '#server/features/ledger/noteLedger.ts';
import { openFileLedger } from '#server/features/ledger/fileLedger.ts';
import { shipEntries } from '#server/features/ledger/shipLedger.ts';
import { markDoNotContact } from '#server/features/withdrawals/staffSuppression.ts';
import { backupFolder, storeManyLeads } from '#test/support/backupSetup.ts';
import { runCommand } from '#test/support/command.ts';
import { staffActionOn, testActor } from '#test/support/staffActions.ts';
import { type TestDb, testDb } from '#test/support/testDb.ts';
import { testDataKeys, testSecret } from '#test/support/testKeys.ts';

test('a ledger with a gap is not replayed; after its repair, --replay-only catches up', async () => {
  await using folder = await backupFolder();
  await using source = await testDb();
  await using target = await testDb({ isEmpty: true });
  const leads = await storeManyLeads(source, 3);
  const backup = { url: source.url, folder: folder.backup, secretKeys: [testSecret], hasLedger: true };
  const by = { actor: testActor, ip: null, now: new Date() };
  const { row: token } = await makeToken(source.db, by, { name: 'nightly', scopes: ['leads:read'] });
  await source.sql`insert into staff_sessions (token_sha256, password_sha256, expires_at)
    values (repeat('0', 64), 'x', now() + interval '1 hour')`;
  await createBackup({ ...backup, method: 'copy' });
  await endToken(source.db, by, token.id);
  for (const { id } of leads.slice(0, 2)) await markDoNotContact(staffActionOn(source), id);
  const shipping = { db: source.db, dataKeys: testDataKeys(source) };
  const place = openFileLedger(folder.ledgerFile);
  await shipEntries({ ...shipping, target: place });
  await noteLedger({ ...shipping, log: createLog('silent'), target: place, now: () => new Date() });
  const whole = await readFile(folder.ledgerFile, 'utf8');
  await writeFile(folder.ledgerFile, whole.slice(whole.indexOf('\n') + 1));

  const env = { DATABASE_URL: target.url, SECRET_KEYS: testSecret, LEDGER_URL: folder.ledgerUrl };
  expect(await runCommand('restore', [folder.backup], env)).toEqual({
    status: 1,
    output: expect.stringContaining('has a gap: entry 1 is missing'),
  });
  const suppressions = () => target.sql`select 1 from suppressions`;
  expect(await suppressions()).toHaveLength(0);
  // A start by mistake opens nothing that ended.
  expect(await target.sql`select 1 from staff_sessions`).toHaveLength(0);
  expect(await target.sql`select 1 from api_tokens where revoked_at is null`).toHaveLength(0);

  await writeFile(folder.ledgerFile, whole);
  const replay = () => runCommand('restore', ['--replay-only'], env);
  expect(await replay()).toEqual({
    status: 0,
    output: expect.stringMatching(
      /since the backup: 2\. .* suppressions 2, lifts 0[^]*ends with entry 2 of /,
    ),
  });
  expect(await suppressions()).toHaveLength(4);
  expect(await replay()).toEqual({ status: 0, output: expect.stringContaining('since the backup: 0.') });
});

test('a restore names shipped audit entries that the backup lacks, and continues above', async () => {
  await using folder = await backupFolder();
  await using source = await testDb();
  await using target = await testDb({ isEmpty: true });
  const ledger = openFileLedger(folder.ledgerFile);
  const services = {
    db: source.db,
    dataKeys: testDataKeys(source),
    log: createLog('silent'),
    target: ledger,
  };
  const record = (db: TestDb['db']) =>
    recordAudit(db, { actor: system, ip: null, action: 'sync.run', subject: null });
  await record(source.db);
  const backup = { url: source.url, folder: folder.backup, secretKeys: [testSecret], hasLedger: true };
  await createBackup({ ...backup, method: 'copy' });
  const [lead] = await storeManyLeads(source, 1);
  // Its replay adds entries to the restored log.
  await markDoNotContact(staffActionOn(source), lead?.id ?? 0);
  for (let at = 0; at < 4; at += 1) await record(source.db);
  await shipEntries({ ...services });
  const note = (db: TestDb['db'], dataKeys = services.dataKeys) =>
    noteLedger({ ...services, db, dataKeys, now: () => new Date(), shipsAudit: true });
  await note(source.db);
  const shipped = await source.db.$count(auditLog);

  const env = { DATABASE_URL: target.url, SECRET_KEYS: testSecret, LEDGER_URL: folder.ledgerUrl };
  expect(await runCommand('restore', [folder.backup], env)).toEqual({
    status: 0,
    output: expect.stringContaining(
      `The audit log of the backup ends with entry 1. Its entries up to ${shipped} are beside`,
    ),
  });
  await record(target.db);
  const later = await target.sql<{ id: number }[]>`select id::int from audit_log where id > 1 order by id`;
  expect(later.length).toBeGreaterThan(0);
  for (const { id } of later) expect(id).toBeGreaterThan(shipped + 100_000);
  await note(target.db, testDataKeys(target));
  const notes = await readNotes(ledger, testDataKeys(target));
  expect(notes?.audit).toMatchObject({ batch: 2, id: later.at(-1)?.id, gaps: [] });
});

test('a restore with a ledger that can’t be read writes nothing', async () => {
  await using folder = await backupFolder();
  await using source = await testDb();
  await using target = await testDb({ isEmpty: true });
  const backup = { url: source.url, folder: folder.backup, secretKeys: [testSecret], hasLedger: true };
  await createBackup({ ...backup, method: 'copy' });
  const env = { DATABASE_URL: target.url, SECRET_KEYS: testSecret, LEDGER_URL: folder.ledgerUrl };
  const { status, output } = await runCommand('restore', [folder.backup], env);
  expect([status, output]).toEqual([1, expect.stringContaining("doesn't exist. Check LEDGER_URL.")]);
  expect(await target.sql`select 1 from pg_tables where schemaname = 'public'`).toHaveLength(0);
});

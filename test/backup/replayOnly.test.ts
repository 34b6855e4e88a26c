import { readFile, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { createBackup } from '#scripts/backup/createBackup.ts';
import { openFileLedger } from '#server/features/ledger/fileLedger.ts';
import { shipEntries } from '#server/features/ledger/shipLedger.ts';
import { markDoNotContact } from '#server/features/withdrawals/staffSuppression.ts';
import { backupFolder, storeManyLeads } from '#test/support/backupSetup.ts';
import { runCommand } from '#test/support/command.ts';
import { staffActionOn } from '#test/support/staffActions.ts';
import { testDb } from '#test/support/testDb.ts';
import { testDataKeys, testSecret } from '#test/support/testKeys.ts';

test('a ledger with a gap is not replayed; after its repair, --replay-only catches up', async () => {
  await using folder = await backupFolder();
  await using source = await testDb();
  await using target = await testDb({ isEmpty: true });
  const leads = await storeManyLeads(source, 3);
  const backup = { url: source.url, folder: folder.backup, secretKeys: [testSecret], hasLedger: true };
  await createBackup({ ...backup, method: 'copy' });
  for (const { id } of leads.slice(0, 2)) await markDoNotContact(staffActionOn(source), id);
  const shipping = { db: source.db, dataKeys: testDataKeys(source) };
  await shipEntries({ ...shipping, target: openFileLedger(folder.ledgerFile) });
  const whole = await readFile(folder.ledgerFile, 'utf8');
  await writeFile(folder.ledgerFile, whole.slice(whole.indexOf('\n') + 1));

  const env = { DATABASE_URL: target.url, SECRET_KEYS: testSecret, LEDGER_URL: folder.ledgerUrl };
  expect(await runCommand('restore', [folder.backup], env)).toEqual({
    status: 1,
    output: expect.stringContaining('has a gap: entry 1 is missing'),
  });
  const suppressions = () => target.sql`select 1 from suppressions`;
  expect(await suppressions()).toHaveLength(0);

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

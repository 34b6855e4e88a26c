import { expect, test } from 'vitest';
import { createBackup } from '#scripts/backup/createBackup.ts';
import { restoreBackup } from '#scripts/backup/restoreBackup.ts';
import { pruneEvidence } from '#server/features/consent/pruneEvidence.ts';
import { backupFolder } from '#test/support/backupSetup.ts';
import { longAgo, sealAll, sealKey, storeEvidence, verifyEvidence } from '#test/support/evidence.ts';
import { testDb } from '#test/support/testDb.ts';
import { testSecret } from '#test/support/testKeys.ts';

test('a restored chain begins at its checkpoint, verifies and continues', async () => {
  await using folder = await backupFolder();
  await using source = await testDb();
  await using target = await testDb({ isEmpty: true });
  await storeEvidence(source, 3, { at: longAgo });
  await storeEvidence(source, 2);
  await sealAll(source);
  const secretKeys = [testSecret];
  await pruneEvidence(source.db, { secretKeys, key: await sealKey(source), removes: true, batchSize: 2 });
  const backup = { url: source.url, folder: folder.backup, secretKeys, hasLedger: false };
  await createBackup({ ...backup, method: 'copy' });
  await restoreBackup({ url: target.url, ownerUrl: null, folder: folder.backup, secretKeys });
  const restored = { summary: { seals: 2, faults: 0, head: { seq: 5 }, pruned: { seq: 3, records: 3 } } };
  expect(await verifyEvidence(target)).toMatchObject(restored);
  await storeEvidence(target, 1);
  await sealAll(target);
  expect((await verifyEvidence(target)).summary).toMatchObject({ seals: 3, faults: 0, head: { seq: 6 } });
  await expect(target.sql`delete from consent_checkpoints`).rejects.toMatchObject({ code: '23001' });
});

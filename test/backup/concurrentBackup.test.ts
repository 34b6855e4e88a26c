import { expect, test } from 'vitest';
import { createBackup } from '#scripts/backup/createBackup.ts';
import { restoreBackup } from '#scripts/backup/restoreBackup.ts';
import { storeLeads } from '#server/features/leads/intake/storeLeads.ts';
import { backupFolder, storeManyLeads } from '#test/support/backupSetup.ts';
import { verifyEvidence } from '#test/support/evidence.ts';
import { insertProvider } from '#test/support/factories.ts';
import { newLead } from '#test/support/newLeads.ts';
import { testDb } from '#test/support/testDb.ts';
import { testSecret } from '#test/support/testKeys.ts';

test('a backup made while leads arrive has each lead with all its rows', async () => {
  await using folder = await backupFolder();
  await using source = await testDb();
  await using target = await testDb({ isEmpty: true });
  await storeManyLeads(source, 50);
  const { id: providerId } = await insertProvider(source.db);
  const context = { now: new Date(), identityKey: null };
  const done = new AbortController();
  const arrive = async (): Promise<void> => {
    while (!done.signal.aborted)
      await source.db.transaction((tx) => storeLeads(tx, [newLead({ providerId })], context));
  };
  const arriving = Promise.all([arrive(), arrive()]);
  const secretKeys = [testSecret];
  const options = { url: source.url, folder: folder.backup, secretKeys, hasLedger: false };
  await createBackup({ ...options, method: 'copy' });
  done.abort();
  await arriving;
  await restoreBackup({ url: target.url, ownerUrl: null, folder: folder.backup, secretKeys });
  const [counts] = await target.sql<{ leads: number; whole: number; stray: number }[]>`
    select (select count(*)::int from leads) as leads,
      (select count(*)::int from leads join consent_records on lead_id = leads.id join lead_attribution a on a.lead_id = leads.id) as whole,
      (select count(*)::int from deliveries where lead_id not in (select id from leads)) as stray`;
  const [total] = await source.sql<{ leads: number }[]>`select count(*)::int as leads from leads`;
  const restored = counts?.leads ?? 0;
  expect(counts).toEqual({ leads: restored, whole: restored, stray: 0 });
  expect(restored).toBeGreaterThanOrEqual(50);
  // Leads arrived after the snapshot, so that it was taken in the middle.
  expect(total?.leads).toBeGreaterThan(restored);
  const { summary, faults } = await verifyEvidence(target);
  expect(faults).toEqual([]);
  expect(summary.records).toBe(restored);
});

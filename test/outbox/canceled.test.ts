import { expect, test } from 'vitest';
import { viewLead } from '#server/features/leads/detail/leadDetail.ts';
import { suppress } from '#server/features/withdrawals/suppress.ts';
import { staffActionOn } from '#test/support/staffActions.ts';
import { insertDelivery } from '#test/support/outboxSetup.ts';
import { insertLead } from '#test/support/leadRows.ts';
import { testDb } from '#test/support/testDb.ts';
import { testIdentityKey } from '#test/support/testKeys.ts';

test('a pending lead shows why its latest delivery waits or was canceled', async () => {
  await using database = await testDb();
  const { db } = database;
  const lead = await insertLead(db);
  const said = async () => {
    const { lead: shown } = await viewLead(staffActionOn(database), lead.id);
    return [shown.crm_sync_status, shown.crmDelivery?.reason ?? null];
  };
  expect(await said()).toEqual(['pending', null]);
  const createdAt = new Date(lead.createdAt.getTime() + 1000);
  await insertDelivery(database, { leadId: lead.id, createdAt });
  expect(await said()).toEqual(['pending', null]);
  await insertDelivery(database, {
    leadId: lead.id,
    state: 'held',
    reason: 'Older.',
    createdAt: lead.createdAt,
  });
  expect(await said()).toEqual(['pending', null]);
  const withdrawal = { reason: 'withdrawn', how: 'page', by: 'Visitor', ip: null, now: new Date() } as const;
  const identityKey = await testIdentityKey(database);
  await suppress(db, { person: lead, identityKey, leadId: lead.id, ...withdrawal });
  expect(await said()).toEqual(['pending', 'This person must not be contacted.']);
});

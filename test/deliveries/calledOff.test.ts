import { expect, test } from 'vitest';
import { parseConfig } from '#server/config.ts';
import { assignLeads, removeLeads, restoreLeads } from '#server/features/adminLeads/leadChanges.ts';
import { viewLead } from '#server/features/adminLeads/leadDetail.ts';
import { listLeads } from '#server/features/adminLeads/leadList.ts';
import { createChannels } from '#server/features/deliveries/channels.ts';
import { leadsCsv } from '#server/features/exports/leadsCsv.ts';
import { suppress } from '#server/features/suppression/suppressions.ts';
import { leadListInput } from '#shared/adminLeads.ts';
import { deedOn } from '#test/support/deeds.ts';
import { crmEnvironment, insertDelivery, setUpDeliveries } from '#test/support/deliverySetup.ts';
import { insertClinic } from '#test/support/factories.ts';
import { insertLead } from '#test/support/leadRows.ts';
import { testDb, type TestDb } from '#test/support/testDb.ts';

const channels = createChannels(parseConfig(crmEnvironment({ url: 'http://127.0.0.1:9/' })));
const suppressedReason = 'The person must not be contacted any more.';

async function statusesOf({ sql }: TestDb): Promise<unknown[]> {
  const rows = await sql`select crm_sync_status as status from leads order by id`;
  return rows.map(({ status }) => status);
}

async function csvOf({ db }: TestDb): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of leadsCsv(db, {})) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

test('a withdrawn lead whose push was called off says so in list, filter, drawer and CSV, and why', async () => {
  await using database = await testDb();
  const { db } = database;
  const lead = await insertLead(db);
  await insertDelivery(database, { leadId: lead.id });
  const waiting = await insertLead(db);
  await insertDelivery(database, { leadId: waiting.id });
  const told = { reason: 'withdrawn', how: 'page', by: 'Visitor', ip: null, now: new Date() } as const;
  await suppress(db, { person: lead, leadId: lead.id, ...told });
  expect(await statusesOf(database)).toEqual(['not-synced', 'pending']);
  const listed = async (status: 'pending' | 'not-synced') =>
    (await listLeads(db, leadListInput.parse({ status }))).leads.map(({ id, crm_sync_status: said }) => [
      id,
      said,
    ]);
  expect(await listed('not-synced')).toEqual([[lead.id, 'not-synced']]);
  expect(await listed('pending')).toEqual([[waiting.id, 'pending']]);
  const shown = await viewLead(deedOn(database), lead.id);
  expect([shown.lead.crm_sync_status, shown.crmReason]).toEqual(['not-synced', suppressedReason]);
  expect(await csvOf(database)).toContain(',not-synced,');
});

test('a deleted lead’s push is called off, and pending again once it is restored', async () => {
  await using database = await testDb();
  const lead = await insertLead(database.db);
  await insertDelivery(database, { leadId: lead.id });
  const deed = deedOn(database, undefined, channels);
  await removeLeads(deed, [lead.id]);
  expect(await statusesOf(database)).toEqual(['not-synced']);
  await restoreLeads(deed, [lead.id]);
  expect(await statusesOf(database)).toEqual(['pending']);
});

test('a lead that goes to another clinic is pending for that one, and what the CRM has stays a success', async () => {
  await using database = await testDb();
  const { db } = database;
  const clinic = await insertClinic(db);
  const lead = await insertLead(db, { crmSyncStatus: 'failed' });
  await insertDelivery(database, { leadId: lead.id, state: 'failed', createdAt: lead.createdAt });
  await assignLeads(deedOn(database, undefined, channels), [lead.id], clinic.id);
  const had = await insertLead(db, { crmSyncStatus: 'success' });
  await insertDelivery(database, { leadId: had.id });
  await removeLeads(deedOn(database, undefined, channels), [had.id]);
  expect(await statusesOf(database)).toEqual(['pending', 'success']);
});

test('a worker that finds the way barred says so too, and nobody who holds the lead is waited for', async () => {
  await using at = await setUpDeliveries();
  const { lead, id } = await at.queue({ acceptanceConsent: false });
  await at.deliver(id);
  expect(await at.statusOf(lead)).toBe('not-synced');
  const other = await at.queue();
  await at.database.sql.begin(async (tx) => {
    await tx`select 1 from leads where id = ${other.lead.id} for update`;
    await at.database
      .sql`update deliveries set state = 'cancelled', reason = 'Because.', next_try_at = null where id = ${other.id}`;
  });
  expect(await at.statusOf(other.lead)).toBe('pending');
});

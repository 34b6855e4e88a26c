import { expect, test } from 'vitest';
import { leadListInput } from '#shared/admin/adminLeads.ts';
import { worklistFilters } from '#shared/admin/worklist.ts';
import { type DeliveryInsert, deliveries, overLimitLeads } from '#server/db/schema/index.ts';
import { insertProvider } from '#test/support/factories.ts';
import { flagFailedDeliveries } from '../../outbox/leadStatus.ts';
import { insertLead } from '#test/support/leadRows.ts';
import { testDb, type TestDb } from '#test/support/testDb.ts';
import { listLeads } from './leadList.ts';
import { countWorklist } from './leadList.ts';

async function addDelivery(
  { db }: TestDb,
  values: Pick<DeliveryInsert, 'leadId' | 'state' | 'channel' | 'createdAt'>,
) {
  const now = new Date();
  const times = values.state === 'queued' ? { nextAttemptAt: now } : { finishedAt: now };
  const reason = values.state === 'failed' ? 'Because.' : null;
  await db.insert(deliveries).values({ id: crypto.randomUUID(), ...values, ...times, reason });
}

test('the worklist counts the leads that the list shows for each of its filters', async () => {
  await using database = await testDb();
  const { db, sql } = database;
  expect(await countWorklist(db)).toEqual({
    clinic: 0,
    crm: 0,
    unmatched: 0,
    overdue: 0,
    overLimit: 0,
    quarantined: 0,
    returned: 0,
    phone: 0,
    mailbox: 0,
    replies: 0,
    followUp: 0,
  });
  const provider = await insertProvider(db);
  const kept = { quarantinedAt: new Date(), quarantineReason: 'honeypot' } as const;
  const unmatched = await insertLead(db);
  await insertLead(db, { deletedAt: new Date() });
  const quarantined = await insertLead(db, kept);
  const has = { providerId: provider.id };
  const waiting = await insertLead(db, { ...kept, ...has, quarantineReason: 'over-limit' });
  await db.insert(overLimitLeads).values({ leadId: waiting.id, releaseAt: new Date() });
  const [failed, again, elsewhere, gone] = [
    await insertLead(db, has),
    await insertLead(db, has),
    await insertLead(db, has),
    await insertLead(db, { ...has, deletedAt: new Date() }),
  ];
  const [early, late] = [new Date('2026-06-01T12:00:00Z'), new Date('2026-06-01T13:00:00Z')];
  await addDelivery(database, { leadId: failed.id, channel: 'crm', state: 'failed', createdAt: early });
  await addDelivery(database, { leadId: failed.id, channel: 'crm', state: 'failed', createdAt: late });
  await addDelivery(database, { leadId: again.id, channel: 'crm', state: 'failed', createdAt: early });
  await addDelivery(database, { leadId: again.id, channel: 'crm', state: 'queued', createdAt: late });
  await addDelivery(database, { leadId: elsewhere.id, channel: 'crm', state: 'failed', createdAt: early });
  await addDelivery(database, {
    leadId: elsewhere.id,
    channel: 'lead-email',
    state: 'delivered',
    createdAt: late,
  });
  await addDelivery(database, { leadId: gone.id, channel: 'crm', state: 'failed', createdAt: early });
  const [notReached, lost] = [
    await insertLead(db, has),
    await insertLead(db, { ...has, deletedAt: new Date() }),
  ];
  for (const { id: leadId } of [notReached, lost])
    await addDelivery(database, { leadId, channel: 'provider-email', state: 'failed', createdAt: early });
  await flagFailedDeliveries(db, [failed.id, again.id, elsewhere.id, gone.id, notReached.id, lost.id]);
  const refused = await insertLead(db, { ...has, crmSyncStatus: 'failed' });
  const [returned, given] = [await insertLead(db, has), await insertLead(db, has)];
  for (const { id } of [returned, given])
    await sql`insert into lead_outcomes (lead_id, provider_id, outcome, by) values (${id}, ${provider.id}, 'wrong-area', 'Clinic')`;
  await sql`update leads set outcome = 'wrong-area', provider_id = null, match_method = 'none' where id = ${returned.id}`;
  await sql`update leads set provider_id = ${(await insertProvider(db)).id} where id = ${given.id}`;
  // Only open tasks count. The task of a deleted lead waits until the lead is restored.
  for (const [{ id }, doneAt] of [
    [given, null],
    [gone, null],
    [again, early.toISOString()],
  ] as const)
    await sql`insert into staff_tasks (kind, lead_id, done_at, done_by)
      values ('phone-withdrawn', ${id}, ${doneAt}, ${doneAt === null ? null : 'Robin Staff'})`;
  await sql`insert into staff_tasks (kind, lead_id) values ('reply-received', ${again.id}), ('mailbox-withdrawn', ${notReached.id})`;
  const expected = {
    clinic: [notReached.id],
    crm: [refused.id],
    unmatched: [unmatched.id, returned.id],
    overdue: [],
    overLimit: [waiting.id],
    quarantined: [quarantined.id],
    returned: [returned.id],
    phone: [given.id],
    mailbox: [notReached.id],
    replies: [again.id],
  };
  const listed: Record<string, number[]> = {};
  for (const [group, filter] of Object.entries(worklistFilters)) {
    const { leads, total } = await listLeads(db, leadListInput.parse({ ...filter, sort: 'created_at' }));
    listed[group] = leads.map(({ id }) => id);
    expect(total).toBe(leads.length);
  }
  expect(listed).toEqual(expected);
  const { leads: anyFailed } = await listLeads(
    db,
    leadListInput.parse({ delivery: 'failed', sort: 'created_at' }),
  );
  expect(anyFailed.map(({ id }) => id)).toEqual([failed.id, elsewhere.id, notReached.id]);
  expect(await countWorklist(db)).toEqual({
    clinic: 1,
    crm: 1,
    unmatched: 2,
    overdue: 0,
    overLimit: 1,
    quarantined: 1,
    returned: 1,
    phone: 1,
    mailbox: 1,
    replies: 1,
    followUp: 0,
  });
});

test('a lead is overdue a day after its provider got it, for 30 days', async () => {
  await using database = await testDb();
  const { db } = database;
  const [provider, other] = [await insertProvider(db), await insertProvider(db)];
  const hoursAgo = (hours: number): Date => new Date(Date.now() - hours * 3_600_000);
  const addSent = async (values: Parameters<typeof insertLead>[1], sent: Partial<DeliveryInsert> = {}) => {
    const lead = await insertLead(db, { providerId: provider.id, createdAt: hoursAgo(49), ...values });
    const email = { channel: 'provider-email', providerId: provider.id, state: 'delivered' } as const;
    const times = { createdAt: hoursAgo(49), finishedAt: hoursAgo(48) };
    await db
      .insert(deliveries)
      .values({ id: crypto.randomUUID(), leadId: lead.id, ...email, ...times, ...sent });
    return lead;
  };
  const listed = [await addSent({}), await addSent({ createdAt: hoursAgo(29 * 24) })];
  await addSent({}, { finishedAt: hoursAgo(23) });
  await addSent({ createdAt: hoursAgo(31 * 24) });
  await addSent({ outcome: 'booked' });
  await addSent({ deletedAt: new Date() });
  await addSent({ quarantinedAt: new Date(), quarantineReason: 'honeypot' });
  await addSent({ providerId: null });
  await addSent({ providerId: other.id });
  await addSent({}, { channel: 'lead-email' });
  await addSent({}, { state: 'failed', reason: 'The mailbox refused it.' });
  const input = leadListInput.parse({ ...worklistFilters.overdue, sort: 'created_at' });
  const { leads, total } = await listLeads(db, input);
  expect(leads.map(({ id }) => id)).toEqual(listed.map(({ id }) => id).toReversed());
  expect([total, (await countWorklist(db)).overdue]).toEqual([2, 2]);
});

test('leads to follow up are those of the day and of earlier ones, not quarantined', async () => {
  await using database = await testDb();
  const { db } = database;
  const [today, missed] = [
    await insertLead(db, { followUpOn: '2026-06-12' }),
    await insertLead(db, { followUpOn: '2026-06-01' }),
  ];
  await insertLead(db, { followUpOn: '2026-06-13' });
  await insertLead(db);
  await insertLead(db, { followUpOn: '2026-06-12', deletedAt: new Date() });
  await insertLead(db, {
    followUpOn: '2026-06-12',
    quarantinedAt: new Date(),
    quarantineReason: 'honeypot',
  });
  const followUpBy = '2026-06-12';
  const input = leadListInput.parse({ followUpBy, quarantined: false, sort: 'created_at' });
  expect((await listLeads(db, input)).leads.map(({ id }) => id)).toEqual([today.id, missed.id]);
  expect((await countWorklist(db, { followUpBy })).followUp).toBe(2);
});

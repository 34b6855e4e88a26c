import { describe, expect, test } from 'vitest';
import { parseConfig } from '#server/config/config.ts';
import { assignLeads } from '#server/features/leads/changes/assignLeads.ts';
import { releaseLeads, removeLeads, restoreLeads } from '#server/features/leads/changes/leadChanges.ts';
import type { DeliveryInsert } from '#server/db/schema/index.ts';
import { createChannels } from '#server/features/outbox/channels/deliveryChannels.ts';
import { unprovenReason } from '#server/features/outbox/enqueueDeliveries.ts';
import { repeatReason } from '#server/features/outbox/repeats.ts';
import { releaseHeld } from '#server/features/outbox/releaseHeld.ts';
import { connect } from '#server/db/connect.ts';
import { listPlans } from '#test/bench/plans.ts';
import { staffActionOn } from '#test/support/staffActions.ts';
import { crmEnvironment, insertDelivery } from '#test/support/outboxSetup.ts';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { setUpIntake } from '#test/support/intakeSetup.ts';
import { insertLead } from '#test/support/leadRows.ts';
import { meets } from '#test/support/meets.ts';
import { testDb, type TestDb } from '#test/support/testDb.ts';

const crm = crmEnvironment({ url: 'http://127.0.0.1:9/' });
const channels = createChannels(parseConfig(crm));
const dayMs = 86_400_000;

/** A summary of each delivery, in order of creation. */
async function delivered({ sql }: TestDb): Promise<string[]> {
  const rows = await sql<{ said: string }[]>`
    select concat_ws(' ', channel, coalesce('to ' || provider_id, 'to nobody'), state, reason) as said
    from deliveries order by created_at, array_position(array['provider-email', 'crm', 'lead-email'], channel)`;
  return rows.map(({ said }) => said);
}

const noMail = 'held Email is not configured.';

describe('a stored lead', () => {
  test('queues deliveries to the person, the provider and the CRM', async () => {
    meets('D.leads.06 D.deliveries.01 D.deliveries.02 D.deliveries.10');
    await using at = await setUpIntake(crm);
    const provider = await insertProvider(at.database.db, { zipCode: '80202' });
    await at.sendForm(leadInput());
    expect(await delivered(at.database)).toEqual([
      `provider-email to ${provider.id} queued`,
      `crm to ${provider.id} queued`,
      `lead-email to ${provider.id} queued`,
    ]);
  });

  test('is held with the reason if no channel is configured', async () => {
    await using at = await setUpIntake();
    await at.sendForm(leadInput());
    const reason = createChannels(parseConfig({})).crm.heldReason();
    expect(reason).not.toBeNull();
    expect(await delivered(at.database)).toEqual([
      `crm to nobody held ${reason}`,
      'lead-email to nobody queued',
    ]);
  });

  test('without a provider is delivered to the person and the CRM', async () => {
    meets('D.deliveries.10');
    await using at = await setUpIntake(crm);
    await at.sendForm(leadInput());
    expect(await delivered(at.database)).toEqual(['crm to nobody queued', 'lead-email to nobody queued']);
  });

  test('twice by the same key is delivered once', async () => {
    meets('D.people.09');
    await using at = await setUpIntake(crm);
    await insertProvider(at.database.db, { zipCode: '80202' });
    const input = leadInput();
    await at.send(input, { idempotencyKey: 'twice' });
    await at.send(input, { idempotencyKey: 'twice' });
    const through = (await delivered(at.database)).map((said) => said.split(' ')[0]);
    expect(through).toHaveLength(3);
    expect(new Set(through)).toEqual(new Set(['crm', 'lead-email', 'provider-email']));
  });

  test('by the same person is delivered to the provider once a day', async () => {
    meets('D.leads.72');
    await using at = await setUpIntake(crm);
    const provider = await insertProvider(at.database.db, { zipCode: '80202' });
    const input = leadInput();
    const toProvider = async (): Promise<string[]> =>
      (await delivered(at.database)).filter((said) => said.startsWith('provider-email'));
    await at.send(input);
    at.clock.ms += dayMs - 30_000;
    await at.send(input);
    const kept = `provider-email to ${provider.id} cancelled ${repeatReason}`;
    expect(await toProvider()).toEqual([`provider-email to ${provider.id} queued`, kept]);
    // A minute later, it is a new submission and no retry.
    at.clock.ms += 61_000;
    await at.send(input);
    expect((await toProvider())[2]).toBe(`provider-email to ${provider.id} queued`);
    expect((await delivered(at.database)).filter((said) => said.startsWith('crm'))).toHaveLength(3);
  });

  test('is delivered to the provider if the person’s earlier lead was not', async () => {
    await using at = await setUpIntake(crm);
    const provider = await insertProvider(at.database.db, { zipCode: '80202' });
    await at.send(leadInput());
    await at.database
      .sql`update deliveries set state = 'failed', reason = 'Because.', next_attempt_at = null, finished_at = now() where channel = 'provider-email'`;
    at.clock.ms += dayMs / 2;
    await at.send(leadInput());
    const toProvider = (await delivered(at.database)).filter((said) => said.startsWith('provider-email'));
    expect(toProvider[1]).toBe(`provider-email to ${provider.id} queued`);
  });

  test('in quarantine is delivered only after its release', async () => {
    meets('D.leads.83');
    await using at = await setUpIntake(crm);
    const { body } = await at.send(leadInput({ website: 'https://spam.example' }));
    expect(await delivered(at.database)).toEqual([]);
    await releaseLeads(staffActionOn(at.database, at.clock, channels), [body.id]);
    expect(await delivered(at.database)).toEqual([
      'crm to nobody queued',
      `lead-email to nobody cancelled ${unprovenReason}`,
    ]);
  });
});

describe('a lead that staff assign to a provider', () => {
  test('is delivered to that provider, and a queued CRM delivery names it', async () => {
    await using database = await testDb();
    const [old, given] = [await insertProvider(database.db), await insertProvider(database.db)];
    const lead = await insertLead(database.db, { providerId: old.id });
    for (const channel of ['lead-email', 'provider-email', 'crm'] as const)
      await insertDelivery(database, {
        leadId: lead.id,
        channel,
        providerId: old.id,
        createdAt: lead.createdAt,
      });
    const staffAction = staffActionOn(database, undefined, channels);
    await assignLeads(staffAction, [lead.id], given.id);
    expect(await delivered(database)).toEqual([
      `provider-email to ${old.id} cancelled The lead was given to another provider.`,
      `crm to ${given.id} queued`,
      `lead-email to ${old.id} queued`,
      `provider-email to ${given.id} ${noMail}`,
    ]);
    // Assigning the same provider again delivers nothing.
    await assignLeads(staffAction, [lead.id], given.id);
    expect(await delivered(database)).toHaveLength(4);
  });

  test('is delivered once if the provider has a lead of that person from that day', async () => {
    await using database = await testDb();
    const { db } = database;
    const provider = await insertProvider(db);
    const first = await insertLead(db);
    const { email, phone } = first;
    const second = await insertLead(db, { duplicateOf: first.id, email, phone });
    const third = await insertLead(db, { duplicateOf: first.id, email, phone });
    const stranger = await insertLead(db);
    const staffAction = staffActionOn(database, undefined, channels);
    await assignLeads(staffAction, [first.id, second.id, stranger.id], provider.id);
    await assignLeads(staffAction, [third.id], provider.id);
    const rows = await database.sql<{ lead_id: string; state: string }[]>`
      select lead_id, state from deliveries where channel = 'provider-email' order by lead_id`;
    expect(rows.map(({ lead_id: id, state }) => [Number(id), state])).toEqual([
      [first.id, 'held'],
      [second.id, 'cancelled'],
      [third.id, 'cancelled'],
      [stranger.id, 'held'],
    ]);
  });

  test('is never delivered to the previous provider by a retry', async () => {
    await using database = await testDb();
    const [old, given] = [await insertProvider(database.db), await insertProvider(database.db)];
    const lead = await insertLead(database.db, { providerId: old.id });
    for (const channel of ['provider-email', 'crm'] as const)
      await insertDelivery(database, {
        leadId: lead.id,
        channel,
        state: 'failed',
        providerId: old.id,
        createdAt: lead.createdAt,
      });
    await assignLeads(staffActionOn(database, undefined, channels), [lead.id], given.id);
    expect((await delivered(database)).filter((said) => said.includes(` to ${old.id} `))).toEqual([
      `provider-email to ${old.id} cancelled The lead was given to another provider.`,
      `crm to ${old.id} cancelled The lead was given to another provider.`,
    ]);
    const [row] = await database.sql`select delivery_failed from leads`;
    expect(row?.['delivery_failed']).toBe(false);
  });

  test('is delivered to the CRM again and becomes pending', async () => {
    await using database = await testDb();
    const provider = await insertProvider(database.db);
    const lead = await insertLead(database.db, { crmSyncStatus: 'success' });
    await insertDelivery(database, { leadId: lead.id, state: 'delivered', createdAt: lead.createdAt });
    await assignLeads(staffActionOn(database, undefined, channels), [lead.id], provider.id);
    const rows = await delivered(database);
    expect(rows).toHaveLength(3);
    expect(rows).toEqual(
      expect.arrayContaining([
        `provider-email to ${provider.id} ${noMail}`,
        'crm to nobody delivered',
        `crm to ${provider.id} queued`,
      ]),
    );
    const [row] = await database.sql`select crm_sync_status from leads`;
    expect(row?.['crm_sync_status']).toBe('pending');
  });

  test('in quarantine is not delivered yet', async () => {
    await using database = await testDb();
    const provider = await insertProvider(database.db);
    const lead = await insertLead(database.db, { quarantinedAt: new Date(), quarantineReason: 'honeypot' });
    await assignLeads(staffActionOn(database, undefined, channels), [lead.id], provider.id);
    expect(await delivered(database)).toEqual([]);
  });
});

test('deleting a lead cancels its queued deliveries; restoring it resumes them', async () => {
  await using database = await testDb();
  const lead = await insertLead(database.db);
  await insertDelivery(database, { leadId: lead.id });
  await insertDelivery(database, {
    leadId: lead.id,
    channel: 'lead-email',
    state: 'delivered',
    reason: null,
  });
  const staffAction = staffActionOn(database, undefined, channels);
  await removeLeads(staffAction, [lead.id]);
  expect(await delivered(database)).toEqual([
    'crm to nobody cancelled The lead was deleted.',
    'lead-email to nobody delivered',
  ]);
  await restoreLeads(staffAction, [lead.id]);
  expect(await delivered(database)).toEqual(['crm to nobody queued', 'lead-email to nobody delivered']);
});

describe('recovery of stuck deliveries', () => {
  const now = new Date('2026-06-10T12:00:00Z');

  test('queues only held deliveries whose channel is now configured', async () => {
    await using database = await testDb();
    const lead = await insertLead(database.db);
    await insertDelivery(database, { leadId: lead.id, state: 'held' });
    await insertDelivery(database, { leadId: lead.id, state: 'held', channel: 'lead-email' });
    expect(await releaseHeld(database.db, createChannels(parseConfig({})), now)).toBe(0);
    expect(await releaseHeld(database.db, channels, now)).toBe(1);
    expect(await delivered(database)).toEqual(['crm to nobody queued', 'lead-email to nobody held Because.']);
  });

  test('cancels lead emails held for over ninety days, and no withdrawals', async () => {
    await using database = await testDb();
    const lead = await insertLead(database.db);
    const held = (channel: 'lead-email' | 'crm', daysAgo: number, rest: Partial<DeliveryInsert> = {}) =>
      insertDelivery(database, {
        ...{ leadId: lead.id, state: 'held', channel, ...rest },
        createdAt: new Date(now.getTime() - daysAgo * dayMs),
      });
    // Staff retried a failed one.
    await held('lead-email', 94, { attempts: 8, attemptsBeforeRound: 8 });
    await held('lead-email', 93, { template: 'withdrawn' });
    await held('crm', 92);
    await held('lead-email', 91);
    await held('lead-email', 89);
    const reason = 'It waited for more than 90 days, too long to be of use.';
    expect(await releaseHeld(database.db, channels, now)).toBe(1);
    expect((await delivered(database))[3]).toBe(`lead-email to nobody cancelled ${reason}`);
    const ready = { ...channels, 'lead-email': { ...channels['lead-email'], heldReason: () => null } };
    expect(await releaseHeld(database.db, ready, now)).toBe(3);
    expect(await delivered(database)).toEqual([
      'lead-email to nobody queued',
      'lead-email to nobody queued',
      'crm to nobody queued',
      `lead-email to nobody cancelled ${reason}`,
      'lead-email to nobody queued',
    ]);
  });

  test('reads no deliveries of a channel that isn’t configured', async () => {
    await using database = await testDb();
    const lead = await insertLead(database.db);
    await database.sql`
      insert into deliveries (id, lead_id, channel, state, reason, created_at)
      select gen_random_uuid(), ${lead.id}, 'crm', 'held', 'No CRM.', ${now.toISOString()}::timestamptz - n * interval '1 hour' from generate_series(1, 5000) as n`;
    await database.sql`vacuum analyze deliveries`;
    const { close, ...connection } = connect(database.url, { applicationName: 'plans', max: 1 });
    const ready = {
      ...createChannels(parseConfig({})),
      'lead-email': { ...channels['lead-email'], heldReason: () => null },
    };
    const plans = await listPlans({ ...connection, close }, (db) => releaseHeld(db, ready, now));
    await close();
    expect(plans).toHaveLength(2);
    for (const plan of plans) expect(plan).toMatch(/deliveries_held_idx.*Cond: .*channel/);
  });
});

import { describe, expect, test } from 'vitest';
import { insertProvider } from '#test/support/factories.ts';
import { insertAgreed, insertLead } from '#test/support/leadRows.ts';
import { insertDelivery } from '#test/support/outboxSetup.ts';
import { staffActionOn, type TestStaffAction } from '#test/support/staffActions.ts';
import { testDb, type TestDb } from '#test/support/testDb.ts';
import { waitUntil } from '#test/support/waitFor.ts';
import { parseConfig } from '#server/config/config.ts';
import type { LeadRow } from '#server/db/schema/index.ts';
import { leadCorrectInput } from '#shared/submissions/leadInput.ts';
import { repeatReason } from '../../outbox/repeats.ts';
import { assignLeads, takeAwayLeads } from './assignLeads.ts';
import { correctLead } from './correctLead.ts';
import { eraseLeads } from './eraseLeads.ts';
import { undoAssignments } from './undoAssignments.ts';

const start = Date.parse('2026-06-10T12:00:00Z');

interface At extends AsyncDisposable {
  database: TestDb;
  clock: { ms: number };
  staff: TestStaffAction;
  correct: (lead: { id: number }, change: object) => Promise<void>;
  /** The messages about a lead to its provider and the CRM, oldest first. */
  sent: (lead: { id: number }) => Promise<Record<string, unknown>[]>;
}

async function setUp(): Promise<At> {
  const database = await testDb();
  const clock = { ms: start };
  const staff = staffActionOn(database, clock);
  const services = { ...staff.services, config: parseConfig({}) };
  return {
    database,
    clock,
    staff,
    correct: (lead, change) =>
      correctLead({ ...staff, services }, leadCorrectInput.parse({ id: lead.id, ...change })),
    sent: async ({ id }) => [
      ...(await database.sql`
        select channel, state, provider_id::int as provider, corrects_lead_id::int as corrects from deliveries
        where lead_id = ${id} and channel in ('provider-email', 'crm') order by created_at, channel, id`),
    ],
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}

function insertSent({ database }: At, lead: LeadRow, row: object = {}): Promise<string> {
  const { id: leadId, providerId, createdAt } = lead;
  const about = { leadId, providerId, channel: 'provider-email', createdAt } as const;
  return insertDelivery(database, { ...about, state: 'delivered', ...row });
}

/** Records that an attempt of a delivery arrived. */
async function arrived({ database: { sql } }: At, id: string): Promise<void> {
  await sql`
    insert into delivery_attempts (delivery_id, lead_id, channel, at, duration_ms, outcome)
    select id, lead_id, channel, now(), 5, 'delivered' from deliveries where id = ${id}`;
}

const email = { email: 'right@example.com' };

describe('a corrected lead is sent again', () => {
  async function resent(state: 'failed' | 'cancelled' | 'queued') {
    const at = await setUp();
    const provider = await insertProvider(at.database.db);
    const lead = await insertLead(at.database.db, { providerId: provider.id });
    for (const channel of ['provider-email', 'crm'] as const)
      await arrived(at, await insertSent(at, lead, { channel, state, attempts: 2 }));
    await at.correct(lead, email);
    return { at, lead };
  }

  test.each(['failed', 'cancelled'] as const)(
    'to whom it reached once, although a later attempt ended as %s',
    async (state) => {
      const { at, lead } = await resent(state);
      await using _ = at;
      const rows = (await at.sent(lead)).map(({ provider: _provider, ...row }) => row);
      expect(rows).toHaveLength(4);
      for (const row of [
        { channel: 'crm', state: 'held', corrects: null },
        { channel: 'provider-email', state: 'held', corrects: lead.id },
      ])
        expect(rows).toContainEqual(row);
    },
  );

  test('by the resend that waits', async () => {
    const { at, lead } = await resent('queued');
    await using _ = at;
    expect(await at.sent(lead)).toMatchObject([
      { channel: 'crm', state: 'queued', corrects: null },
      { channel: 'provider-email', state: 'queued', corrects: lead.id },
    ]);
  });

  test('after an attempt that was leased while it was corrected', async () => {
    await using at = await setUp();
    const provider = await insertProvider(at.database.db);
    const lead = await insertLead(at.database.db, { providerId: provider.id });
    const id = await insertSent(at, lead, { state: 'queued' });
    const [leased, commit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const until = new Date(start + 25_000).toISOString();
    const worker = at.database.sql.begin(async (tx) => {
      await tx`update deliveries set leased_until = ${until}, next_attempt_at = ${until}, attempts = 1 where id = ${id}`;
      leased.resolve();
      await commit.promise;
    });
    await leased.promise;
    const correction = at.correct(lead, email);
    const isWaiting = async (): Promise<boolean> =>
      (await at.database.sql`select 1 from pg_locks where not granted`).length > 0;
    await Promise.race([correction, waitUntil(isWaiting)]);
    commit.resolve();
    await Promise.all([worker, correction]);
    expect(await at.sent(lead)).toEqual([
      { channel: 'provider-email', state: 'queued', provider: provider.id, corrects: null },
      { channel: 'provider-email', state: 'held', provider: provider.id, corrects: lead.id },
    ]);
  });

  test('about a repeat that its provider knows from the earlier lead', async () => {
    await using at = await setUp();
    const provider = await insertProvider(at.database.db);
    const same = { email: 'kit@example.com', phone: '(303) 555-0142', providerId: provider.id };
    const [first, repeat] = [await insertLead(at.database.db, same), await insertLead(at.database.db, same)];
    await insertSent(at, first);
    await insertSent(at, repeat, { state: 'cancelled', reason: repeatReason });
    await at.correct(repeat, email);
    expect(await at.sent(first)).toHaveLength(1);
    expect((await at.sent(repeat)).slice(1)).toEqual([
      { channel: 'provider-email', state: 'held', provider: provider.id, corrects: repeat.id },
    ]);
  });
});

test('a repeat is sent if the earlier lead is corrected before it would say the same', async () => {
  await using at = await setUp();
  const provider = await insertProvider(at.database.db);
  const same = { email: 'kit@example.com', phone: '(303) 555-0142', providerId: provider.id };
  const created = { createdAt: new Date(start - 60_000) };
  const [first, repeat] = [
    await insertLead(at.database.db, { ...same, ...created }),
    await insertLead(at.database.db, { ...same, ...created }),
  ];
  await insertSent(at, first, { state: 'queued', ...created });
  await insertSent(at, repeat, { state: 'cancelled', reason: repeatReason, ...created });
  await at.correct(first, { phone: '(303) 555-0199' });
  const own = { channel: 'provider-email', state: 'queued', provider: provider.id };
  expect(await at.sent(first)).toEqual([{ ...own, corrects: null }]);
  // It has other details than the lead before it.
  expect(await at.sent(repeat)).toEqual([{ ...own, corrects: first.id }]);
});

describe('a lead that was taken away', () => {
  test('is corrected without a word to its former provider', async () => {
    await using at = await setUp();
    const provider = await insertProvider(at.database.db, { zipCode: '80202' });
    const lead = await insertLead(at.database.db, { providerId: provider.id, zipCode: '80202' });
    await insertSent(at, lead);
    await takeAwayLeads(at.staff, [lead.id]);
    at.clock.ms += 60_000;
    const before = await at.sent(lead);
    await at.correct(lead, email);
    await at.correct(lead, { zip_code: '80205' });
    expect(await at.sent(lead)).toEqual(before);
    expect(
      await at.database.sql`select provider_id as provider, email from leads where id = ${lead.id}`,
    ).toEqual([{ provider: null, ...email }]);
  });

  test('or assigned stays so if it was corrected since: its provider wouldn’t hear of it', async () => {
    await using at = await setUp();
    const [provider, other] = [await insertProvider(at.database.db), await insertProvider(at.database.db)];
    const lead = await insertLead(at.database.db, { providerId: provider.id });
    await insertSent(at, lead);
    await takeAwayLeads(at.staff, [lead.id]);
    await at.correct(lead, email);
    await expect(undoAssignments(at.staff, [lead.id])).rejects.toThrow(/was changed/);
    at.clock.ms += 1_000;
    await assignLeads(at.staff, [lead.id], other.id);
    // What was corrected before that doesn’t count.
    expect(await undoAssignments(at.staff, [lead.id])).toMatchObject({ changed: [lead.id] });
  });
});

test('a quarantined lead is corrected for its release, and nothing is sent', async () => {
  await using at = await setUp();
  const provider = await insertProvider(at.database.db, { zipCode: '80202' });
  const newYork = await insertProvider(at.database.db, { zipCode: '10016' });
  const quarantined = { quarantinedAt: new Date(start), quarantineReason: 'honeypot' } as const;
  const lead = await insertAgreed(at.database.db, {
    providerId: provider.id,
    zipCode: '80202',
    ...quarantined,
  });
  await at.correct(lead, email);
  await at.correct(lead, { zip_code: '10016' });
  expect(await at.sent(lead)).toEqual([]);
  expect(await at.database.sql`select 1 from webhook_events`).toHaveLength(0);
  expect(
    await at.database.sql`select provider_id::int as provider, email from leads where id = ${lead.id}`,
  ).toEqual([{ provider: newYork.id, ...email }]);
});

test('an erased lead isn’t found, and keeps nothing that was corrected', async () => {
  await using at = await setUp();
  const lead = await insertAgreed(at.database.db);
  await at.database.db.transaction((tx) => eraseLeads(tx, [lead.id], new Date(start)));
  await expect(at.correct(lead, email)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(await at.database.sql`select 1 from lead_corrections`).toHaveLength(0);
});

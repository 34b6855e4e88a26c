import { describe, expect, test } from 'vitest';
import { insertProvider } from '#test/support/factories.ts';
import { insertAgreed, insertLead } from '#test/support/leadRows.ts';
import { insertDelivery } from '#test/support/outboxSetup.ts';
import { staffActionOn, type TestStaffAction } from '#test/support/staffActions.ts';
import { testDb, type TestDb } from '#test/support/testDb.ts';
import { parseConfig } from '#server/config/config.ts';
import { createChannels } from '#server/features/outbox/channels/deliveryChannels.ts';
import { flagFailedDeliveries } from '#server/features/outbox/leadStatus.ts';
import { leaseDue } from '#server/features/outbox/lease.ts';
import type { Channels } from '#server/features/outbox/types.ts';
import { eraseLeads } from './eraseLeads.ts';
import { assignLeads } from './assignLeads.ts';
import { removeLeads } from './leadChanges.ts';
import { undoAssignments } from './undoAssignments.ts';

const start = Date.parse('2026-06-10T12:00:00Z');

/** Every channel is ready, and none is tried here. */
function readyChannels(): Channels {
  const channels = createChannels(parseConfig({}));
  const ready = { heldReason: () => null, deliver: () => Promise.reject(new Error('not tried')) };
  return {
    ...channels,
    'lead-email': { name: 'lead-email', ...ready },
    'provider-email': { name: 'provider-email', ...ready },
    crm: { name: 'crm', ...ready },
  };
}

interface At extends AsyncDisposable {
  database: TestDb;
  clock: { ms: number };
  staff: TestStaffAction;
  /** The lead and all that belongs to it. */
  stateOf: (leadId: number) => Promise<unknown>;
  /** What a worker would lease now, by queue. */
  due: () => Promise<string[]>;
}

async function setUp(): Promise<At> {
  const database = await testDb();
  const { sql } = database;
  const clock = { ms: start };
  await sql`insert into webhook_endpoints (id, url, types, secret, created_by) values (${crypto.randomUUID()}, 'https://hooks.example', '{}', 'sealed', 'Test')`;
  return {
    database,
    clock,
    staff: staffActionOn(database, clock, readyChannels()),
    stateOf: async (leadId) => ({
      lead: (await sql`select to_jsonb(leads) - 'updated_at' as row from leads where id = ${leadId}`)[0]?.[
        'row'
      ],
      deliveries:
        await sql`select to_jsonb(d) as row from deliveries d where lead_id = ${leadId} order by created_at, id`,
      events: await sql`select type from webhook_events where lead_id = ${leadId} order by at, id`,
      webhooks: await sql`
        select d.state, d.next_attempt_at from deliveries d join webhook_events e on e.id = d.event_id where e.lead_id = ${leadId} order by d.id`,
    }),
    due: async () => {
      const slots = new Map(
        (await sql<{ queue: string }[]>`select distinct queue from deliveries`).map(({ queue }) => [
          queue,
          9,
        ]),
      );
      const leases = await leaseDue(database.db, { slots, now: new Date(clock.ms) });
      return leases.map(({ queue }) => (queue.length === 36 ? 'webhook' : queue)).toSorted();
    },
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}

const seconds = (count: number): number => count * 1000;

describe('what an assignment by staff causes', () => {
  test('waits ten seconds on every channel; a token’s leaves immediately', async () => {
    await using at = await setUp();
    const provider = await insertProvider(at.database.db);
    const [byStaff, byToken] = [await insertLead(at.database.db), await insertLead(at.database.db)];
    await at.database.sql`delete from webhook_events`;
    await at.database.sql`delete from deliveries`;
    // Webhooks are due by the database's clock.
    const now = async (): Promise<number> =>
      Date.parse((await at.database.sql<{ now: string }[]>`select now()::text`)[0]?.now ?? '');
    at.clock.ms = await now();
    await assignLeads(at.staff, [byStaff.id], provider.id);
    at.clock.ms += seconds(9);
    expect(await at.due()).toEqual([]);
    const actor = { kind: 'token', name: 'Script', tokenId: 1, scopes: ['leads:write'] } as const;
    await assignLeads(
      { ...at.staff, actor: { ...actor, scopes: [...actor.scopes] } },
      [byToken.id],
      provider.id,
    );
    expect(await at.due()).toEqual(['crm', 'provider-email', 'webhook']);
    at.clock.ms += seconds(3);
    expect(await at.due()).toEqual(['crm', 'provider-email', 'webhook']);
  });

  test('the CRM delivery that waited for another provider waits too', async () => {
    await using at = await setUp();
    const [first, second] = [await insertProvider(at.database.db), await insertProvider(at.database.db)];
    const lead = await insertLead(at.database.db, { providerId: first.id });
    const due = new Date(start - 1);
    const id = await insertDelivery(at.database, {
      leadId: lead.id,
      providerId: first.id,
      nextAttemptAt: due,
    });
    await assignLeads(at.staff, [lead.id], second.id);
    expect(
      (
        await at.database
          .sql`select provider_id::int, (extract(epoch from next_attempt_at) * 1000)::float8 as due from deliveries where id = ${id}`
      )[0],
    ).toEqual({ provider_id: second.id, due: start + seconds(10) });
  });
});

describe('an undone assignment', () => {
  test.each(['an unmatched lead', 'a lead of another provider', 'a lead that its provider has'])(
    'leaves %s as it was, its deliveries and events included',
    async (kind) => {
      await using at = await setUp();
      const { db } = at.database;
      const [first, second] = [await insertProvider(db), await insertProvider(db)];
      const lead = await insertLead(
        db,
        kind === 'an unmatched lead'
          ? { zipCode: 'what <was> typed', matchReason: "'what <was> typed' is not a US ZIP code." }
          : { providerId: first.id, outcome: 'reached', crmSyncStatus: 'failed', deliveryFailed: true },
      );
      if (kind === 'a lead of another provider') {
        const of = { leadId: lead.id, providerId: first.id, createdAt: new Date(start - seconds(60)) };
        const email = { ...of, channel: 'provider-email' } as const;
        await insertDelivery(at.database, {
          ...{ ...email, state: 'failed', reason: 'Refused.' },
          createdAt: new Date(start - seconds(30)),
        });
        await insertDelivery(at.database, { ...email, state: 'held', reason: 'No mail.' });
        await insertDelivery(at.database, { ...email, reason: 'Busy.', attempts: 2 });
        await insertDelivery(at.database, { ...of, state: 'failed', reason: 'HTTP 422' });
        await insertDelivery(at.database, { ...email, template: 'withdrawn' });
        await insertDelivery(at.database, { ...of, channel: 'lead-email', state: 'delivered' });
      }
      if (kind === 'a lead that its provider has')
        await insertDelivery(at.database, { leadId: lead.id, providerId: first.id, state: 'failed' });
      await flagFailedDeliveries(db, [lead.id]);
      const before = await at.stateOf(lead.id);
      const to = kind === 'a lead that its provider has' ? first : second;
      await assignLeads(at.staff, [lead.id], to.id);
      expect(await at.stateOf(lead.id)).not.toEqual(before);
      at.clock.ms += seconds(9);
      expect(await undoAssignments(at.staff, [lead.id])).toEqual({ changed: [lead.id], refused: [] });
      const after = await at.stateOf(lead.id);
      expect(after).toEqual(before);
      expect(await at.database.sql`select action, detail from audit_log order by id`).toMatchObject([
        { action: 'lead.assign', detail: { providerId: to.id } },
        {
          action: 'lead.unassign',
          detail: { providerId: lead.providerId, before: { providerId: to.id, method: 'manual' } },
        },
      ]);
      await expect(undoAssignments(at.staff, [lead.id])).rejects.toThrow('Already sent');
    },
  );

  test('undoes only the last of two, which leaves what the first caused', async () => {
    await using at = await setUp();
    const [first, second] = [await insertProvider(at.database.db), await insertProvider(at.database.db)];
    const { id } = await insertLead(at.database.db);
    await assignLeads(at.staff, [id], first.id);
    const before = await at.stateOf(id);
    at.clock.ms += seconds(2);
    await assignLeads(at.staff, [id], second.id);
    await undoAssignments(at.staff, [id]);
    expect(await at.stateOf(id)).toEqual(before);
  });

  test('lets a message leave that was withheld as a repeat of it', async () => {
    await using at = await setUp();
    const provider = await insertProvider(at.database.db);
    const { id } = await insertAgreed(at.database.db, { email: 'ada@mail.example', phone: '(303) 555-0142' });
    await assignLeads(at.staff, [id], provider.id);
    at.clock.ms += seconds(1);
    const same = await insertAgreed(at.database.db, { email: 'ada@mail.example', phone: '(303) 555-0142' });
    await assignLeads(at.staff, [same.id], provider.id);
    const stateOfMessage = async () =>
      (
        await at.database
          .sql`select state from deliveries where lead_id = ${same.id} and channel = 'provider-email'`
      )[0]?.['state'];
    expect(await stateOfMessage()).toBe('cancelled');
    await undoAssignments(at.staff, [id]);
    expect(await stateOfMessage()).toBe('queued');
    // It can be undone itself for ten seconds.
    at.clock.ms += seconds(9);
    expect(await at.due()).toEqual([]);
    at.clock.ms += seconds(1);
    expect(await at.due()).toContain('provider-email');
  });

  test('keeps that the previous provider got its message in the meantime', async () => {
    await using at = await setUp();
    const [first, second] = [await insertProvider(at.database.db), await insertProvider(at.database.db)];
    const lead = await insertLead(at.database.db, { providerId: first.id });
    const message = { leadId: lead.id, providerId: first.id, channel: 'provider-email' } as const;
    const leased = {
      attempts: 1,
      leasedUntil: new Date(start + seconds(25)),
      nextAttemptAt: new Date(start + seconds(25)),
    };
    const insert = () => insertDelivery(at.database, { ...message, ...leased });
    const [delivered, later, refused, running] = [
      await insert(),
      await insert(),
      await insert(),
      await insert(),
    ];
    const { sql } = at.database;
    await assignLeads(at.staff, [lead.id], second.id);
    const end = async (id: string, outcome: string): Promise<void> => {
      await sql`update deliveries set leased_until = null where id = ${id}`;
      await sql`insert into delivery_attempts (delivery_id, lead_id, channel, at, duration_ms, outcome)
        values (${id}, ${lead.id}, 'provider-email', now(), 5, ${outcome})`;
    };
    await end(delivered, 'delivered');
    await end(refused, 'failed');
    // Its lease began after the snapshot.
    await end(later, 'delivered');
    await sql`update assignment_undos set moved = (
      select jsonb_agg(case row ->> 'id' when ${later} then row || '{"attempts": 0}' else row end)
      from jsonb_array_elements(moved) as row)`;
    await undoAssignments(at.staff, [lead.id]);
    const rows = await sql<{ id: string; state: string }[]>`select id, state from deliveries`;
    const states = new Map(rows.map((row) => [row.id, row.state]));
    expect([delivered, later, refused, running].map((id) => states.get(id))).toEqual([
      'delivered',
      'delivered',
      'queued',
      'queued',
    ]);
  });
});

describe('an assignment stays as it is', () => {
  async function assigned(at: At) {
    const provider = await insertProvider(at.database.db);
    const { id } = await insertLead(at.database.db);
    await assignLeads(at.staff, [id], provider.id);
    return { id, provider };
  }

  test.each(['provider-email', 'crm', 'webhook'])('once its delivery by %s has started', async (channel) => {
    await using at = await setUp();
    const { id } = await assigned(at);
    await at.database
      .sql`update deliveries set attempts = 1, leased_until = now() + interval '20 seconds' where channel = ${channel}`;
    const before = await at.stateOf(id);
    await expect(undoAssignments(at.staff, [id])).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'Already sent',
    });
    expect(await at.stateOf(id)).toEqual(before);
  });

  test('after ten seconds', async () => {
    await using at = await setUp();
    const { id } = await assigned(at);
    at.clock.ms += seconds(10);
    await expect(undoAssignments(at.staff, [id])).rejects.toThrow('Already sent');
  });

  test.each<[string, RegExp, (at: At, id: number, providerId: number) => Promise<unknown>]>([
    ['deleted', /was deleted/, (at, id) => removeLeads(at.staff, [id])],
    ['erased', /was deleted/, (at, id) => eraseLeads(at.database.db, [id], new Date())],
    ['purged', /was deleted/, (at, id) => at.database.sql`delete from leads where id = ${id}`],
    [
      'assigned by someone else',
      /was changed/,
      (at, id, providerId) =>
        assignLeads(
          { ...at.staff, actor: { ...at.staff.actor, accountId: 8, name: 'Sam' } },
          [id],
          providerId,
        ),
    ],
    [
      'assigned by a token',
      /was changed/,
      (at, id, providerId) =>
        assignLeads(
          { ...at.staff, actor: { kind: 'token', name: 'Script', tokenId: 1, scopes: [] } },
          [id],
          providerId,
        ),
    ],
  ])('if the lead was %s in the meantime', async (_, message, change) => {
    await using at = await setUp();
    const { id, provider } = await assigned(at);
    await change(at, id, provider.id);
    const before = await at.stateOf(id);
    await expect(undoAssignments(at.staff, [id])).rejects.toThrow(message);
    expect(await at.stateOf(id)).toEqual(before);
  });

  test('for those leads of several, which are named, while the others are undone', async () => {
    await using at = await setUp();
    const [one, other] = [await assigned(at), await assigned(at)];
    await removeLeads(at.staff, [other.id]);
    expect(await undoAssignments(at.staff, [one.id, other.id])).toEqual({
      changed: [one.id],
      refused: [{ id: other.id, reason: expect.stringMatching(/was deleted/) }],
    });
    expect(await at.database.sql`select provider_id from leads where id = ${one.id}`).toEqual([
      { provider_id: null },
    ]);
  });
});

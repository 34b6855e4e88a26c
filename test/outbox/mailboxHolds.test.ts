import { and, eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { deliveries, leads, suppressions } from '#server/db/schema/index.ts';
import { correctLead } from '#server/features/leads/changes/correctLead.ts';
import { releaseHeld } from '#server/features/outbox/releaseHeld.ts';
import { eventBody } from '#server/features/webhooks/eventBody.ts';
import { completeTask } from '#server/features/withdrawals/decideTasks.ts';
import { listOpenTasks } from '#server/features/withdrawals/listTasks.ts';
import { liftOfLead, markDoNotContact } from '#server/features/withdrawals/staffSuppression.ts';
import { withdrawSentTo } from '#server/features/withdrawals/withdrawByLink.ts';
import type { TaskDecision } from '#shared/admin/staffTasks.ts';
import { suppressedReason } from '#shared/leads/suppression.ts';
import { leadCorrectInput } from '#shared/submissions/leadInput.ts';
import { insertProvider } from '#test/support/factories.ts';
import { type MailSetup, setUpMail } from '#test/support/mailSetup.ts';
import { crmEnvironment, deliverOne } from '#test/support/outboxSetup.ts';
import { type Receiver, startReceiver, takes } from '#test/support/receiver.ts';
import { testActor } from '#test/support/staffActions.ts';
import { mailboxReason } from '#server/features/outbox/refused/holds.ts';

const dayMs = 24 * 3_600_000;
const phones = ['(303) 555-0141', '(303) 555-0142', '(303) 555-0143', '(303) 555-0144'];

interface Holds extends MailSetup {
  crm: Receiver;
  staff: Parameters<typeof correctLead>[0];
  /** Sends a lead by the form, each with a phone of its own, and makes the attempts that are due. */
  arrive: (email: string) => Promise<number>;
  /** Makes one attempt of each queued delivery of a lead. */
  attempt: (leadId: number) => Promise<void>;
  /** The states of a lead's deliveries by channel. */
  statesOf: (leadId: number) => Promise<Record<string, string>>;
  withdraw: (leadId: number) => Promise<void>;
  decide: (leadId: number, decision: TaskDecision) => Promise<number[]>;
  /** Corrects one detail of a lead, a second later. */
  correct: (leadId: number, change: object) => Promise<void>;
  /** How many of a lead's deliveries are in each state, by channel and state. */
  countsOf: (leadId: number) => Promise<Record<string, number>>;
  openTasks: () => Promise<{ lead: number; kind: string }[]>;
}

async function setUpHolds(): Promise<Holds> {
  const crm = await startReceiver(takes);
  const given = await setUpMail(crmEnvironment(crm));
  const { services, clock } = given.at;
  const { db } = services;
  await insertProvider(db, { zipCode: '80202' });
  const left = [...phones];
  const toRows = (leadId: number) => db.select().from(deliveries).where(eq(deliveries.leadId, leadId));
  const staff = { services, actor: testActor, ip: '203.0.113.10' };
  async function attempt(leadId: number): Promise<void> {
    for (const { id, state } of await toRows(leadId))
      if (state === 'queued') await deliverOne(services, id, new AbortController().signal);
  }
  return {
    ...given,
    crm,
    staff,
    attempt,
    async arrive(email) {
      clock.ms += dayMs;
      const { id } = await given.sendForm({ email, phone: left.shift() ?? '', zip_code: '80202' });
      await attempt(id);
      return id;
    },
    statesOf: async (leadId) =>
      Object.fromEntries((await toRows(leadId)).map(({ channel, state }) => [channel, state])),
    withdraw: (leadId) => withdrawSentTo(services, { kind: 'present' }, { leadId, how: 'page', ip: null }),
    async decide(leadId, decision) {
      const { tasks } = await listOpenTasks(db);
      const task = tasks.find(({ lead, kind }) => lead.id === leadId && kind === 'mailbox-withdrawn');
      clock.ms += 1_000;
      return (await completeTask(staff, { id: task?.id ?? 0, decision })).leadIds;
    },
    async correct(leadId, change) {
      clock.ms += 1_000;
      await correctLead(staff, leadCorrectInput.parse({ id: leadId, ...change }));
    },
    async countsOf(leadId) {
      const counts: Record<string, number> = {};
      for (const { channel, state } of await toRows(leadId))
        counts[`${channel} ${state}`] = (counts[`${channel} ${state}`] ?? 0) + 1;
      return counts;
    },
    openTasks: async () => (await listOpenTasks(db)).tasks.map(({ lead, kind }) => ({ lead: lead.id, kind })),
    async [Symbol.asyncDispose]() {
      await given[Symbol.asyncDispose]();
      await crm[Symbol.asyncDispose]();
    },
  };
}

const all = (state: string) => ({ 'lead-email': state, 'provider-email': state, crm: state });
const received = ({ server, crm }: Holds): number => server.received.length + crm.received.length;

describe('a lead whose mailbox withdrew under another spelling', () => {
  test.each([
    ['mal@mail.example', 'mal+news@mail.example'],
    ['mal+news@mail.example', 'MAL+other@mail.example'],
    ['mal+news@mail.example', 'mal@mail.example'],
    ['m.al@gmail.com', 'mal@googlemail.com'],
    ['mal@yahoo.com', 'mal-shop@yahoo.com'],
  ])(
    '%s, %s: reaches nobody before staff decide, and everybody if they keep it',
    async (withdrawn, email) => {
      await using at = await setUpHolds();
      await at.withdraw(await at.arrive(withdrawn));
      const before = received(at);
      const lead = await at.arrive(email);
      expect(await at.statesOf(lead)).toEqual(all('held'));
      expect(received(at)).toBe(before);
      const [row] = await at.at.services.db
        .select({ reason: deliveries.reason, cause: deliveries.holdCause, flag: leads.clinicNotReached })
        .from(deliveries)
        .innerJoin(leads, eq(leads.id, deliveries.leadId))
        .where(and(eq(deliveries.leadId, lead), eq(deliveries.channel, 'provider-email')));
      expect(row).toEqual({ reason: mailboxReason, cause: 'mailbox', flag: false });
      // Neither time nor an integrator's endpoint with full payload gets around it.
      const { db, channels, now } = at.at.services;
      await releaseHeld(db, channels, now());
      expect(await at.statesOf(lead)).toEqual(all('held'));
      const event = { type: 'lead.created', at: now(), leadId: lead, providerId: null, data: { id: lead } };
      expect(await eventBody(at.at.services, event, 'full')).not.toContain('mal');

      expect(await at.decide(lead, 'keep-serving')).toEqual([]);
      expect(await at.statesOf(lead)).toEqual(all('queued'));
      await at.attempt(lead);
      expect(await at.statesOf(lead)).toEqual(all('delivered'));
      expect(await eventBody(at.at.services, event, 'full')).toContain(email);
      // It is asked once for an address, and again for another.
      expect(await at.statesOf(await at.arrive(email))).toMatchObject({ crm: 'delivered' });
      expect(await at.statesOf(await at.arrive(email.replace('@', '+more@')))).toEqual(all('held'));
    },
  );

  test('is stopped if staff decide so', async () => {
    await using at = await setUpHolds();
    await at.withdraw(await at.arrive('mal@mail.example'));
    const lead = await at.arrive('mal+news@mail.example');
    expect(await at.decide(lead, 'stop-email')).toEqual([lead]);
    expect(await at.statesOf(lead)).toEqual(all('cancelled'));
    const later = await at.arrive('mal+news@mail.example');
    expect(await at.statesOf(later)).toEqual(all('cancelled'));
    expect(
      (await listOpenTasks(at.at.services.db)).tasks.filter(({ kind }) => kind === 'mailbox-withdrawn'),
    ).toEqual([]);
  });

  test('waits if it was queued before, and a retry by staff doesn’t send it', async () => {
    await using at = await setUpHolds();
    const first = await at.arrive('mal@mail.example');
    const { id } = await at.sendForm({
      email: 'mal+news@mail.example',
      phone: '(303) 555-0149',
      zip_code: '80202',
    });
    await at.withdraw(first);
    await at.attempt(id);
    expect(await at.statesOf(id)).toEqual(all('held'));
    await at.at.services.db
      .update(deliveries)
      .set({ state: 'queued', holdCause: null, nextAttemptAt: at.at.services.now() })
      .where(eq(deliveries.leadId, id));
    await at.attempt(id);
    expect(await at.statesOf(id)).toEqual(all('held'));
  });

  test('is delivered after an owner lifted the suppression', async () => {
    await using at = await setUpHolds();
    const first = await at.arrive('mal+a@mail.example');
    await markDoNotContact(at.staff, first);
    const lead = await at.arrive('mal@mail.example');
    expect(await at.statesOf(lead)).toEqual(all('held'));
    await liftOfLead(at.staff, { id: first, kind: 'email', reason: 'They asked for it.' });
    await at.attempt(lead);
    expect(await at.statesOf(lead)).toEqual(all('delivered'));
  });

  test('is asked about again if another spelling is still suppressed', async () => {
    await using at = await setUpHolds();
    const [first, second] = [await at.arrive('mal+a@mail.example'), await at.arrive('mal+b@mail.example')];
    for (const id of [first, second]) await at.withdraw(id);
    const lead = await at.arrive('mal@mail.example');
    await liftOfLead(at.staff, { id: first, kind: 'email', reason: 'They asked for it.' });
    await at.attempt(lead);
    expect(await at.statesOf(lead)).toEqual(all('held'));
    await at.decide(lead, 'keep-serving');
    await at.attempt(lead);
    expect(await at.statesOf(lead)).toEqual(all('delivered'));
  });

  test('leaves by itself if its task was closed otherwise', async () => {
    await using at = await setUpHolds();
    await at.withdraw(await at.arrive('mal@mail.example'));
    const lead = await at.arrive('mal+news@mail.example');
    const { db, channels, now } = at.at.services;
    await at.at.database
      .sql`update staff_tasks set done_at = now() + interval '1 year', done_by = 'Robin Staff'`;
    await releaseHeld(db, channels, now());
    await at.attempt(lead);
    expect(await at.statesOf(lead)).toEqual(all('delivered'));
  });
});

describe('a lead that waits for the decision about its mailbox, and is corrected,', () => {
  test('is delivered if nobody stopped the new address, and the question ends', async () => {
    await using at = await setUpHolds();
    await at.withdraw(await at.arrive('mal@mail.example'));
    const lead = await at.arrive('mal+news@mail.example');
    expect(await at.openTasks()).toEqual([{ lead, kind: 'mailbox-withdrawn' }]);
    const before = received(at);
    await at.correct(lead, { email: 'kim@mail.example' });
    expect(await at.openTasks()).toEqual([]);
    expect(await at.statesOf(lead)).toEqual(all('queued'));
    await at.attempt(lead);
    expect(await at.countsOf(lead)).toEqual({
      'lead-email delivered': 1,
      'provider-email delivered': 1,
      'crm delivered': 1,
    });
    expect(received(at)).toBe(before + 3);
    expect(at.server.received.slice(-2).flatMap(({ to }) => to)).toContain('kim@mail.example');
    expect(at.crm.received.at(-1)?.body).toContain('kim@mail.example');
  });

  test('waits again as another spelling of the same mailbox', async () => {
    await using at = await setUpHolds();
    await at.withdraw(await at.arrive('mal@mail.example'));
    const lead = await at.arrive('mal+news@mail.example');
    const before = received(at);
    await at.correct(lead, { email: 'MAL+other@Mail.example' });
    await at.attempt(lead);
    expect(await at.statesOf(lead)).toEqual(all('held'));
    expect(await at.openTasks()).toEqual([{ lead, kind: 'mailbox-withdrawn' }]);
    expect(received(at)).toBe(before);
    await at.decide(lead, 'keep-serving');
    await at.attempt(lead);
    expect(await at.statesOf(lead)).toEqual(all('delivered'));
  });

  test('waits on if its ZIP or phone is corrected, and is sent once after the decision', async () => {
    await using at = await setUpHolds();
    const { db } = at.at.services;
    const newYork = await insertProvider(db, { zipCode: '10016' });
    await at.withdraw(await at.arrive('mal@mail.example'));
    const lead = await at.arrive('mal+news@mail.example');
    const before = received(at);
    await at.correct(lead, { zip_code: '10016' });
    await at.correct(lead, { phone: '(303) 555-0199' });
    await at.attempt(lead);
    expect(received(at)).toBe(before);
    expect(await at.openTasks()).toEqual([{ lead, kind: 'mailbox-withdrawn' }]);
    await at.decide(lead, 'keep-serving');
    await at.attempt(lead);
    const [row] = await db.select().from(leads).where(eq(leads.id, lead));
    expect(row?.providerId).toBe(newYork.id);
    expect(await at.countsOf(lead)).toMatchObject({
      'provider-email cancelled': 1,
      'provider-email delivered': 1,
      'crm delivered': 1,
      'lead-email delivered': 1,
    });
    expect(await at.openTasks()).toEqual([]);
  });

  test('reaches nobody as the stopped address itself, and everybody if that was a slip', async () => {
    await using at = await setUpHolds();
    await at.withdraw(await at.arrive('mal@mail.example'));
    const lead = await at.arrive('mal+news@mail.example');
    const before = received(at);
    await at.correct(lead, { email: 'mal@mail.example' });
    await at.attempt(lead);
    expect(await at.statesOf(lead)).toEqual(all('cancelled'));
    expect(await at.openTasks()).toEqual([]);
    expect(received(at)).toBe(before);
    await at.correct(lead, { email: 'kim@mail.example' });
    await at.attempt(lead);
    expect(await at.countsOf(lead)).toEqual({
      'lead-email delivered': 1,
      'provider-email delivered': 1,
      'crm delivered': 1,
    });
  });
});

describe('a decision about a lead', () => {
  test('doesn’t concern the address that it has after a correction', async () => {
    await using at = await setUpHolds();
    await at.withdraw(await at.arrive('mal@mail.example'));
    await at.withdraw(await at.arrive('kim@mail.example'));
    const lead = await at.arrive('mal+news@mail.example');
    await at.decide(lead, 'keep-serving');
    await at.attempt(lead);
    const before = received(at);
    await at.correct(lead, { email: 'kim+news@mail.example' });
    await at.attempt(lead);
    expect(received(at)).toBe(before);
    expect(await at.countsOf(lead)).toMatchObject({ 'provider-email held': 1, 'crm held': 1 });
    expect(await at.openTasks()).toEqual([{ lead, kind: 'mailbox-withdrawn' }]);
    expect(await at.decide(lead, 'stop-email')).toEqual([lead]);
    expect(received(at)).toBe(before);
  });

  test('doesn’t concern the phone that it has after a correction', async () => {
    await using at = await setUpHolds();
    const others = [await at.arrive('mal@mail.example'), await at.arrive('kim@mail.example')];
    const getPhone = async (id: number): Promise<string> =>
      (await at.at.services.db.select().from(leads).where(eq(leads.id, id)))[0]?.phone ?? '';
    for (const other of others) await at.withdraw(other);
    const lead = await at.arrive('own@mail.example');
    const [first = 0, second = 0] = others;
    await at.correct(lead, { phone: await getPhone(first) });
    expect(await at.openTasks()).toEqual([{ lead, kind: 'phone-withdrawn' }]);
    // The open question is about the former number.
    await at.correct(lead, { phone: '(303) 555-0188' });
    expect(await at.openTasks()).toEqual([]);
    await at.correct(lead, { phone: await getPhone(first) });
    const [task] = (await listOpenTasks(at.at.services.db)).tasks;
    at.at.clock.ms += 1_000;
    await completeTask(at.staff, { id: task?.id ?? 0, decision: 'keep-serving' });
    await at.correct(lead, { phone: await getPhone(second) });
    expect(await at.openTasks()).toEqual([{ lead, kind: 'phone-withdrawn' }]);
  });
});

test('an exact match stops without a question; other people’s addresses get theirs', async () => {
  await using at = await setUpHolds();
  await at.withdraw(await at.arrive('mal@mail.example'));
  const again = await at.arrive('Mal@mail.example');
  expect(await at.statesOf(again)).toEqual(all('cancelled'));
  const [row] = await at.at.services.db.select().from(deliveries).where(eq(deliveries.leadId, again));
  expect(row?.reason).toBe(suppressedReason);
  for (const email of ['mal-news@mail.example', 'm.al@mail.example'])
    expect(await at.statesOf(await at.arrive(email))).toEqual(all('delivered'));
  expect((await listOpenTasks(at.at.services.db)).tasks).toEqual([]);
});

test('the list has hashes of the address and its mailbox, and no other of a phone', async () => {
  await using at = await setUpHolds();
  await markDoNotContact(at.staff, await at.arrive('mal+news@mail.example'));
  const rows = await at.at.services.db.select().from(suppressions).orderBy(suppressions.kind);
  const hash = expect.stringMatching(/^[0-9a-f]{64}$/);
  expect(rows.map(({ kind, valueHmac, mailboxHmac }) => ({ kind, valueHmac, mailboxHmac }))).toEqual([
    { kind: 'email', valueHmac: hash, mailboxHmac: hash },
    { kind: 'phone', valueHmac: hash, mailboxHmac: null },
  ]);
  expect(rows[0]?.mailboxHmac).not.toBe(rows[0]?.valueHmac);
});

import { describe, expect, test } from 'vitest';
import { removeLeads } from '#server/features/leads/changes/leadChanges.ts';
import { retryLead } from '#server/features/leads/changes/leadRetries.ts';
import { releaseRepeats, repeatReason } from '#server/features/outbox/repeats.ts';
import { mail } from '#shared/brand/mail.ts';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { type MailSetup, setUpMail } from '#test/support/mailSetup.ts';
import { deliverOne } from '#test/support/outboxSetup.ts';
import { testActor } from '#test/support/staffActions.ts';

const minuteMs = 60_000;

interface Repeats extends MailSetup {
  /** Sends a lead with these details and the same ZIP code by the form, a minute after the one before. */
  arrive: (input: ReturnType<typeof leadInput>) => Promise<number>;
  /** The id, state and reason of a lead's message to its provider. */
  message: (leadId: number) => Promise<{ id: string; state: string; reason: string | null }>;
  /** Makes one attempt of it, if it is due. */
  attempt: (leadId: number) => Promise<void>;
  /** Runs the sweep of each minute, and returns how many messages it released. */
  sweep: () => Promise<number>;
}

async function setUpRepeats(): Promise<Repeats> {
  const given = await setUpMail();
  const { services, clock, database } = given.at;
  await insertProvider(services.db, { zipCode: '80202' });
  const message: Repeats['message'] = async (leadId) => {
    const [row] = await database.sql<{ id: string; state: string; reason: string | null }[]>`
      select id, state, reason from deliveries where lead_id = ${leadId} and channel = 'provider-email'`;
    if (row === undefined) throw new Error('no message to the provider');
    return { ...row };
  };
  return {
    ...given,
    message,
    async arrive(input) {
      clock.ms += minuteMs;
      return (await given.sendForm(input)).id;
    },
    attempt: async (leadId) => deliverOne(services, (await message(leadId)).id),
    sweep: () => releaseRepeats(services.db, services.now()),
  };
}

const details = leadInput({ zip_code: '80202' });
const repeated = expect.objectContaining({ state: 'cancelled', reason: repeatReason });

describe('a lead with the contact details of one that never reached the provider', () => {
  test.each([
    [
      'was deleted by staff',
      async ({ at: { services } }: Repeats, leadId: number) => {
        await removeLeads({ services, actor: testActor, ip: '203.0.113.10' }, [leadId]);
      },
    ],
    [
      'was refused',
      async ({ at: { database } }: Repeats, leadId: number) => {
        await database.sql`update deliveries set state = 'failed', reason = 'Refused.', finished_at = now(), next_attempt_at = null where lead_id = ${leadId} and channel = 'provider-email'`;
      },
    ],
    [
      'was returned by the provider after it arrived',
      async ({ at: { database }, attempt }: Repeats, leadId: number) => {
        await attempt(leadId);
        const other = await insertProvider(database.db, { zipCode: '60601' });
        await database.sql`update leads set provider_id = ${other.id} where id = ${leadId}`;
      },
    ],
  ])('and %s is sent once, within a minute', async (_name, end) => {
    await using at = await setUpRepeats();
    const decoy = await at.arrive({ ...details, first_name: 'Decoy' });
    const lead = await at.arrive(details);
    const again = await at.arrive({ ...details, last_name: 'Again' });
    expect([await at.message(lead), await at.message(again)]).toEqual([repeated, repeated]);
    expect(await at.sweep()).toBe(0);
    await end(at, decoy);
    expect(await at.sweep()).toBe(1);
    expect(await at.sweep()).toBe(0);
    // The newest one.
    expect([await at.message(lead), (await at.message(again)).state]).toEqual([repeated, 'queued']);
    const before = at.server.received.length;
    await at.attempt(again);
    expect(await at.sweep()).toBe(0);
    expect(at.server.received.length - before).toBe(1);
  });

  test('because it waits for something else is sent at once, and the other one isn’t', async () => {
    await using at = await setUpRepeats();
    const waiting = await at.arrive({ ...details, first_name: 'Decoy' });
    const { database, clock } = at.at;
    await database.sql`update deliveries set next_attempt_at = ${new Date(clock.ms + 30 * minuteMs).toISOString()} where lead_id = ${waiting} and channel = 'provider-email'`;
    const lead = await at.arrive(details);
    expect((await at.message(lead)).state).toBe('queued');
    await at.attempt(lead);
    clock.ms += 30 * minuteMs;
    await at.attempt(waiting);
    expect([(await at.message(lead)).state, await at.message(waiting)]).toEqual(['delivered', repeated]);
    expect(at.server.received).toHaveLength(1);
    expect(await at.sweep()).toBe(0);
  });

  test('stays a repeat while that one is tried again, or if it arrived', async () => {
    await using at = await setUpRepeats();
    const first = await at.arrive(details);
    const lead = await at.arrive(details);
    const { database, clock } = at.at;
    await database.sql`update deliveries set attempts = 1, next_attempt_at = ${new Date(clock.ms + 30 * minuteMs).toISOString()} where lead_id = ${first} and channel = 'provider-email'`;
    expect(await at.sweep()).toBe(0);
    clock.ms += 30 * minuteMs;
    await at.attempt(first);
    expect(await at.sweep()).toBe(0);
    expect([(await at.message(first)).state, await at.message(lead)]).toEqual(['delivered', repeated]);
  });

  test('is not sent again after staff sent it', async () => {
    await using at = await setUpRepeats();
    const decoy = await at.arrive(details);
    const lead = await at.arrive(details);
    const { services, database } = at.at;
    const staffAction = { services, actor: testActor, ip: '203.0.113.10' };
    await retryLead(staffAction, lead, 'provider');
    await removeLeads(staffAction, [decoy]);
    expect(await at.sweep()).toBe(0);
    const messages = await database.sql`
      select state from deliveries where lead_id = ${lead} and channel = 'provider-email' order by created_at`;
    expect(messages.map(({ state }) => state)).toEqual(['cancelled', 'delivered']);
  });

  test('is not sent if it was deleted or withdrawn itself', async () => {
    await using at = await setUpRepeats();
    const decoy = await at.arrive(details);
    const lead = await at.arrive(details);
    const staffAction = { services: at.at.services, actor: testActor, ip: '203.0.113.10' };
    await removeLeads(staffAction, [lead]);
    await removeLeads(staffAction, [decoy]);
    expect(await at.sweep()).toBe(0);
    expect(await at.message(lead)).toEqual(repeated);
  });
});

test('a correction names and prints only a lead that the provider received', async () => {
  await using at = await setUpRepeats();
  const held = await at.arrive(details);
  const { database } = at.at;
  await database.sql`update deliveries set state = 'held', reason = 'Waits for staff.', hold_cause = 'mailbox', next_attempt_at = null where lead_id = ${held} and channel = 'provider-email'`;
  const email = 'someone.else@mail.example';
  const lead = await at.arrive({ ...details, email });
  await at.attempt(lead);
  const sent = await at.newest();
  expect(sent.subject).not.toContain(mail.providerLead.number(held));
  expect(`${sent.text} ${sent.html}`).toContain(email);
  expect(`${sent.text} ${sent.html}`).not.toContain(details.email);
  // Once it arrived, a later lead corrects it.
  await database.sql`update deliveries set state = 'delivered', reason = null, hold_cause = null, finished_at = now() where lead_id = ${held} and channel = 'provider-email'`;
  const later = await at.arrive({ ...details, phone: '(303) 555-0177' });
  await at.attempt(later);
  expect((await at.newest()).subject).toContain('#');
});

import { expect, test } from 'vitest';
import { insertProvider } from '#test/support/factories.ts';
import { insertAgreed } from '#test/support/leadRows.ts';
import { refusal } from '#scripts/demo/mailServer.ts';
import { type MailSetup, setUpMail } from '#test/support/mailSetup.ts';
import { deliverOne, insertDelivery } from '#test/support/outboxSetup.ts';
import { startOutboxWorker } from '../outboxWorker.ts';
import { createHeldTender } from '../releaseHeld.ts';

/** What the mail server answers; null: it accepts. */
interface Answers {
  sender: Error | null;
  recipient: (address: string) => Error | null;
}

interface Refusals extends AsyncDisposable {
  given: MailSetup;
  say: Answers;
  /** A lead with a provider of this address, whose email is queued. Returns the delivery's id. */
  queue: (email?: string) => Promise<string>;
  deliver: (id: string) => Promise<void>;
  states: (ids: readonly string[]) => Promise<unknown[]>;
  alerts: () => Promise<string[]>;
  attempts: () => Promise<number>;
}

async function setUpRefusals(): Promise<Refusals> {
  const say: Answers = { sender: null, recipient: () => null };
  const given = await setUpMail(
    {},
    {
      onMailFrom: (_address, _session, callback) => callback(say.sender ?? undefined),
      onRcptTo: ({ address }, _session, callback) => callback(say.recipient(address) ?? undefined),
    },
  );
  const { services, database } = given.at;
  const { db, sql } = database;
  return {
    given,
    say,
    async queue(email = 'clinic@provider.example') {
      const provider = await insertProvider(db, { email });
      const lead = await insertAgreed(db, { providerId: provider.id });
      return insertDelivery(database, {
        ...{ channel: 'provider-email', leadId: lead.id, providerId: provider.id },
        nextAttemptAt: services.now(),
      });
    },
    deliver: (id) => deliverOne(services, id),
    async states(ids) {
      const rows = await sql<{ id: string; state: string }[]>`select id, state from deliveries`;
      return ids.map((id) => rows.find((row) => row.id === id)?.state);
    },
    alerts: async () =>
      (await sql<{ alert: string }[]>`select kind || ' ' || subject as alert from alerts order by 1`).map(
        ({ alert }) => alert,
      ),
    attempts: async () => (await sql`select 1 from delivery_attempts`).length,
    [Symbol.asyncDispose]: () => given[Symbol.asyncDispose](),
  };
}

test('a refusal before any recipient pauses the channel; one accepted email resumes it', async () => {
  await using at = await setUpRefusals();
  const { services, clock } = at.given.at;
  at.say.sender = refusal(550, '5.4.5 Daily sending limit exceeded');
  const first = await at.queue();
  await at.deliver(first);
  expect(await at.states([first])).toEqual(['queued']);
  expect(await at.alerts()).toEqual(['channel-refused provider-email']);

  const waiting = [await at.queue(), await at.queue(), await at.queue()];
  let rounds = 0;
  const worker = startOutboxWorker(services, { pollMs: 10, onRound: () => (rounds += 1) });
  const nextRounds = async (): Promise<void> => {
    const since = rounds;
    await expect.poll(() => rounds).toBeGreaterThan(since + 3);
  };
  try {
    await nextRounds();
    expect(await at.attempts()).toBe(1);
    // One of the four is tried after five seconds, the next a minute later.
    clock.ms += 5_000;
    await expect.poll(at.attempts).toBe(2);
    await nextRounds();
    expect(await at.attempts()).toBe(2);
    at.say.sender = null;
    clock.ms += 60_000;
    await expect.poll(() => at.states([first, ...waiting])).toEqual(Array(4).fill('delivered'));
    expect(await at.alerts()).toEqual([]);
    expect(at.given.server.received).toHaveLength(4);
  } finally {
    await worker.stop(1_000);
  }
});

test('a channel that lets us in again sends nothing early, such as within an Undo', async () => {
  await using at = await setUpRefusals();
  const { services, clock, database } = at.given.at;
  at.say.sender = refusal(451, '4.3.0 try again later');
  const [probe, retried, postponed] = [await at.queue(), await at.queue(), await at.queue()];
  await at.deliver(retried);
  const undoUntil = new Date(clock.ms + 20_000).toISOString();
  await database.sql`update deliveries set next_attempt_at = ${undoUntil} where id = ${postponed}`;
  clock.ms += 1_000;
  at.say.sender = null;
  await at.deliver(probe);
  const due = await database.sql<{ id: string }[]>`
    select id from deliveries where state = 'queued' and next_attempt_at <= ${services.now().toISOString()}`;
  expect(due.map(({ id }) => id)).toEqual([retried]);
});

test('a refusal of ours at the recipient raises the alert and pauses nothing', async () => {
  await using at = await setUpRefusals();
  at.say.recipient = (address) =>
    address.startsWith('blocked@') ? refusal(554, '5.7.1 Client host blocked') : null;
  const [blocked, other] = [await at.queue('blocked@provider.example'), await at.queue()];
  await at.deliver(blocked);
  expect(await at.alerts()).toEqual(['channel-refused provider-email']);
  expect([...(await at.given.at.database.sql`select next_probe_at from channel_refusals`)]).toEqual([
    { next_probe_at: null },
  ]);
  await at.deliver(other);
  expect(await at.states([blocked, other])).toEqual(['queued', 'delivered']);
  expect(await at.alerts()).toEqual([]);
});

const addresses = ['a@one.example', 'b@one.example', 'c@two.example', 'd@three.example', 'e@three.example'];

test('five addresses at three domains refused in an hour are our fault, also the first', async () => {
  await using at = await setUpRefusals();
  at.say.recipient = () => refusal(550, 'No such user');
  const ids: string[] = [];
  for (const address of addresses) ids.push(await at.queue(address));
  for (const id of ids.slice(0, 4)) await at.deliver(id);
  expect(await at.states(ids)).toEqual(['failed', 'failed', 'failed', 'failed', 'queued']);
  await at.deliver(ids[4] ?? '');
  expect(await at.states(ids)).toEqual(Array(5).fill('queued'));
  expect(await at.alerts()).toEqual(['channel-refused lead-email', 'channel-refused provider-email']);
  // Hours later, still: no email was accepted.
  at.given.at.clock.ms += 3 * 3_600_000;
  await at.deliver(ids[0] ?? '');
  expect(await at.states(ids)).toEqual(Array(5).fill('queued'));

  at.say.recipient = (address) => (address === 'b@one.example' ? refusal(550, 'No such user') : null);
  for (const id of [ids[2] ?? '', ids[1] ?? '']) await at.deliver(id);
  expect(await at.states(ids.slice(1, 3))).toEqual(['failed', 'delivered']);
  expect(await at.alerts()).toEqual([]);
});

test.each([
  ['at two domains', (nth: number) => `${nth}@${nth % 2 === 0 ? 'one' : 'two'}.example`, 0, false],
  ['over more than an hour', (nth: number) => `${nth}@d${nth}.example`, 20 * 60_000, false],
  ['while another one is accepted', (nth: number) => `${nth}@d${nth}.example`, 0, true],
])('five addresses %s are five wrong addresses', async (_, addressOf, apartMs, isAccepted) => {
  await using at = await setUpRefusals();
  at.say.recipient = (address) => (address === 'good@provider.example' ? null : refusal(550, 'No such user'));
  if (isAccepted) await at.deliver(await at.queue('good@provider.example'));
  const ids: string[] = [];
  for (let nth = 0; nth < 5; nth += 1) {
    const id = await at.queue(addressOf(nth));
    ids.push(id);
    at.given.at.clock.ms += apartMs;
    await at.deliver(id);
  }
  await createHeldTender(at.given.at.services)();
  expect(await at.states(ids)).toEqual(Array(5).fill('failed'));
});

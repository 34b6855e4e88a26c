import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import type { Caller } from '#server/caller.ts';
import { createApplication } from '#server/features/applications/intake.ts';
import { deliveries, overLimitLeads, webhookEvents } from '#server/db/schema/index.ts';
import { listAlerts } from '#server/features/alerts/alerts.ts';
import { applicationCreateInput } from '#shared/applications/applications.ts';
import { applicationInput } from '#test/support/applicationInput.ts';
import { testCaller } from '#test/support/caller.ts';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { type IntakeSetup, setUpIntake } from '#test/support/intakeSetup.ts';
import { meets } from '#test/support/meets.ts';
import { insertEndpoint } from '#test/support/webhookRows.ts';
import { checkQuarantineShare } from './intakeAlerts.ts';

const ownPage = { transport: 'trpc', fetchSite: 'same-origin' } as const;

type Honeypot = 'leave_empty' | 'website';

interface Sent {
  honeypot?: Honeypot;
  source?: 'issue' | 'issueFetched';
  ageMs?: number;
  caller?: Partial<Caller>;
}

/** Sends a form whose honeypot is filled in, and returns the lead with its deliveries' waits in milliseconds. */
async function sendFilled(
  at: IntakeSetup,
  { honeypot = 'leave_empty', source = 'issueFetched', ageMs = 8_000, caller = ownPage }: Sent = {},
) {
  const token = at.services.submissions.formTokens[source]('landing');
  at.clock.ms += ageMs;
  const input = { ...leadInput(), form: 'landing' as const, token, [honeypot]: 'https://example.com' };
  const { body } = await at.send(input, caller);
  const waits = await at.database.sql<{ channel: string; wait: number }[]>`
    select channel, (extract(epoch from next_attempt_at - ${new Date(at.clock.ms).toISOString()}::timestamptz) * 1000)::int as wait
    from deliveries where lead_id = ${body.id} and state = 'queued' order by channel`;
  return { lead: await at.lead(body.id), waits: waits.map(({ wait }) => wait) };
}

const minutes30 = 30 * 60_000;

test.each([
  ['eight seconds', 8_000, 0],
  ['an hour', 3_600_000, 0],
  ['just under eight seconds', 7_999, minutes30],
  ['three seconds', 3_000, minutes30],
])(
  'a filled honeypot %s after its token was fetched is delivered, with a mark',
  async (_age, ageMs, wait) => {
    await using at = await setUpIntake();
    await insertProvider(at.database.db, { zipCode: '80202' });
    for (const honeypot of ['leave_empty', 'website'] as const) {
      const { lead, waits } = await sendFilled(at, { honeypot, ageMs });
      expect(lead).toMatchObject({ quarantined_at: null, quarantine_reason: null, filled_honeypot: true });
      expect(new Set(waits)).toEqual(new Set([wait]));
    }
  },
);

test.each<[string, Sent]>([
  ['with the page’s own token', { source: 'issue' }],
  ['without Sec-Fetch-Site', { caller: { ...ownPage, fetchSite: null } }],
  ['from the same site but another origin', { caller: { ...ownPage, fetchSite: 'same-site' } }],
  ['from another site', { caller: { ...ownPage, fetchSite: 'cross-site' } }],
  ['under three seconds after its token', { ageMs: 2_999 }],
  ['after a day', { ageMs: 86_400_001 }],
])('a filled honeypot %s is quarantined, with a mark', async (_how, sent) => {
  meets('D.leads.77');
  await using at = await setUpIntake();
  await insertProvider(at.database.db, { zipCode: '80202' });
  const { lead, waits } = await sendFilled(at, sent);
  expect(lead).toMatchObject({ quarantine_reason: 'honeypot', filled_honeypot: true });
  expect(waits).toEqual([]);
});

test('an empty honeypot leaves no mark', async () => {
  await using at = await setUpIntake();
  const { body } = await at.sendForm({ ...leadInput(), leave_empty: ' ', website: '' }, ownPage);
  expect(await at.lead(body.id)).toMatchObject({ quarantined_at: null, filled_honeypot: null });
});

test('webhooks wait with a lead whose honeypot was filled in a hurry', async () => {
  await using at = await setUpIntake();
  await insertEndpoint(at.database);
  const { lead } = await sendFilled(at, { ageMs: 5_000 });
  const rows = await at.database.db
    .select({ due: deliveries.nextAttemptAt })
    .from(deliveries)
    .innerJoin(webhookEvents, eq(webhookEvents.id, deliveries.eventId))
    .where(eq(webhookEvents.leadId, Number(lead['id'])));
  expect(rows).toEqual([{ due: new Date(at.clock.ms + minutes30) }]);
});

test('a lead with a filled honeypot above the limit waits at least its half hour', async () => {
  await using at = await setUpIntake({ RATE_LIMIT_LEADS: '1/1m' });
  await at.sendForm(leadInput(), ownPage);
  const { lead } = await sendFilled(at, { ageMs: 4_000 });
  expect(lead).toMatchObject({ quarantine_reason: 'over-limit', filled_honeypot: true });
  const waiting = await at.database.db.select({ at: overLimitLeads.releaseAt }).from(overLimitLeads);
  expect(waiting).toEqual([{ at: new Date(at.clock.ms + minutes30) }]);
});

test.each(['leave_empty', 'homepage'] as const)(
  'an application whose %s is filled in reaches staff with a mark by the same rule',
  async (honeypot) => {
    await using at = await setUpIntake();
    const send = async (source: 'issue' | 'issueFetched') => {
      const token = at.services.submissions.formTokens[source]('application');
      at.clock.ms += 8_000;
      const input = applicationCreateInput.parse({ ...applicationInput(), token, [honeypot]: 'x' });
      const { id } = await createApplication(at.services, testCaller(ownPage), input);
      const [row] = await at.database.sql`
        select quarantine_reason, filled_honeypot from provider_applications where id = ${id}`;
      return row;
    };
    expect(await send('issueFetched')).toEqual({ quarantine_reason: null, filled_honeypot: true });
    expect(await send('issue')).toEqual({ quarantine_reason: 'honeypot', filled_honeypot: true });
  },
);

test('quarantined leads with valid tokens raise an alert above a tenth of the day’s', async () => {
  await using at = await setUpIntake();
  const kinds = async (): Promise<string[]> => {
    await checkQuarantineShare(at.services);
    return (await listAlerts(at.database.db)).alerts.map(({ kind }) => kind);
  };
  for (let index = 0; index < 4; index += 1) await sendFilled(at, { source: 'issue' });
  // Neither is known to come from a form that was shown.
  await sendFilled(at, { source: 'issue', caller: { ...ownPage, fetchSite: 'cross-site' } });
  await at.send({ ...leadInput(), form: 'landing', token: 'forged' });
  expect(await kinds()).toEqual([]);
  await sendFilled(at, { source: 'issue' });
  expect(await kinds()).toEqual(['quarantine-share']);
  for (let index = 0; index < 45; index += 1) await at.sendForm(leadInput(), ownPage);
  expect(await kinds()).toEqual([]);
  await sendFilled(at, { source: 'issue' });
  expect(await kinds()).toEqual(['quarantine-share']);
  at.clock.ms += 86_400_000;
  expect(await kinds()).toEqual([]);
});

test('a valid retry with the key of a quarantined submission is delivered', async () => {
  await using at = await setUpIntake();
  await insertProvider(at.database.db, { zipCode: '80202' });
  const input = leadInput({ form: 'landing', token: at.token('landing') });
  const junk = await at.send({ ...input, website: 'x' }, { idempotencyKey: 'order-2' });
  const good = await at.send(input, { idempotencyKey: 'order-2' });
  expect(good.replayed).toBe(false);
  expect(good.body.id).not.toBe(junk.body.id);
  expect(await at.lead(good.body.id)).toMatchObject({ quarantine_reason: null });
  const { sql } = at.database;
  expect(await sql`select 1 from deliveries where lead_id = ${good.body.id}`).not.toHaveLength(0);
  expect((await at.send(input, { idempotencyKey: 'order-2' })).body).toEqual(good.body);
  const junkAgain = await at.send({ ...input, website: 'x' }, { idempotencyKey: 'order-2' });
  expect(junkAgain.body).toEqual(junk.body);
});

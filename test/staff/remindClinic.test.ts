import { expect, test } from 'vitest';
import { mail as copy } from '#shared/brand/mail.ts';
import type { Outcome } from '#server/features/leads/changes/leadRetries.ts';
import { remindProvider } from '#server/features/leads/changes/remindProvider.ts';
import type { LeadInsert, ProviderInsert } from '#server/db/schema/index.ts';
import { leads } from '#server/db/schema/index.ts';
import { suppress } from '#server/features/withdrawals/suppress.ts';
import { markAddress } from '#server/features/unreachable/addressMarks.ts';
import { mailServer, type MailServer } from '#scripts/demo/mailServer.ts';
import { insertProvider } from '#test/support/factories.ts';
import { insertAgreed } from '#test/support/leadRows.ts';
import { insertDelivery } from '#test/support/outboxSetup.ts';
import { testActor } from '#test/support/staffActions.ts';
import { testApp, type TestApp } from '#test/support/testApp.ts';
import { eq } from 'drizzle-orm';

const hourMs = 3_600_000;
/** Noon in Denver on a Wednesday. */
const noon = Date.parse('2026-06-10T18:00:00Z');

interface Given extends AsyncDisposable {
  app: TestApp;
  server: MailServer;
  clock: { ms: number };
  leadId: number;
  remind: () => Promise<Outcome>;
}

interface Options {
  lead?: Partial<LeadInsert>;
  provider?: Partial<ProviderInsert>;
  /** Hours since the provider's mail server accepted the lead; null: it hasn't. */
  sentHoursAgo?: number | null;
  refuses?: boolean;
}

/** A lead that a clinic in Denver got 25 hours ago and said nothing about. */
async function setUp({ lead, provider, sentHoursAgo = 25, refuses = false }: Options = {}): Promise<Given> {
  const server = await mailServer(
    refuses
      ? {
          onRcptTo: (_address, _session, callback) =>
            callback(Object.assign(new Error('later'), { responseCode: 451 })),
        }
      : {},
  );
  const clock = { ms: noon };
  const app = await testApp({
    env: { SMTP_URL: `smtp://127.0.0.1:${server.port}`, MAIL_FROM: 'We <us@main.example>' },
    now: () => new Date(clock.ms),
  });
  const clinic = await insertProvider(app.db, {
    zipCode: '80202',
    email: 'front@clinic.example',
    ...provider,
  });
  const at = new Date(noon - (sentHoursAgo ?? 0) * hourMs);
  const { id: leadId } = await insertAgreed(app.db, {
    ...{ firstName: 'Wilhelmina', lastName: 'Quarrington', email: 'mina.q@mail.example' },
    ...{ phone: '(303) 555-0142', providerId: clinic.id, createdAt: at },
    ...lead,
  });
  if (sentHoursAgo !== null)
    await insertDelivery(app, {
      ...{ leadId, providerId: clinic.id, channel: 'provider-email', state: 'delivered', createdAt: at },
    });
  return {
    ...{ app, server, clock, leadId },
    remind: () => remindProvider({ services: app.services, actor: testActor, ip: '203.0.113.10' }, leadId),
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

test('a clinic is reminded without contact details, by a link to the lead’s page', async () => {
  await using given = await setUp();
  const { app, server, leadId } = given;
  expect(await given.remind()).toEqual({ success: true });
  const email = await server.received[0]?.email;
  expect(server.received.map(({ to }) => to)).toEqual([['front@clinic.example']]);
  expect(email?.subject).toBe(copy.reminder.subject(leadId));
  const { text = '' } = email ?? {};
  expect(text).toContain(
    `${copy.track.received} June 9, 2026 at 11:00 AM Mountain · ${copy.track.sent} June 9, 2026 at 11:00 AM Mountain · ${copy.track.reached} – · ${copy.track.booked} –`,
  );
  for (const trace of ['Wilhelmina', 'Quarrington', 'mina.q', '555', '0142'])
    expect(JSON.stringify(email)).not.toContain(trace);
  const [link = ''] = /https?:\/\/\S+/.exec(text) ?? [];
  const page = await app.get(new URL(link).pathname + new URL(link).search);
  expect([page.status, page.text]).toEqual([200, expect.stringContaining('Wilhelmina')]);
  expect(await app.sql`select action, subject_id, detail from audit_log`).toEqual([
    {
      ...{ action: 'lead.remind', subject_id: String(leadId) },
      detail: { success: true, providerId: expect.any(Number) },
    },
  ]);
});

test('one reminder a day, also of two at the same time, and three in all', async () => {
  await using given = await setUp();
  const both = await Promise.all([given.remind(), given.remind()]);
  expect(both.filter(({ success }) => success)).toHaveLength(1);
  const answers: Outcome[] = [];
  for (const hours of [23, 1, 24, 24]) {
    given.clock.ms += hours * hourMs;
    answers.push(await given.remind());
  }
  expect(answers).toEqual([
    { success: false, error: 'One reminder a day: the next from June 11, 2026 at 12:00 PM Mountain.' },
    { success: true },
    { success: true },
    { success: false, error: expect.stringMatching(/ 3 times\. Call the clinic\.$/) },
  ]);
  expect(given.server.received).toHaveLength(3);
});

test.each<[why: string, Options, prepare: (given: Given) => Promise<unknown>, error: RegExp]>([
  [
    'is with the clinic for less than a day',
    { sentHoursAgo: 23 },
    async () => {},
    /until June 10, 2026 at 1:00 PM Mountain\.$/,
  ],
  ['never reached the clinic', { sentHoursAgo: null }, async () => {}, /has reached the provider/],
  ['has an outcome', { lead: { outcome: 'not-reachable' } }, async () => {}, /reported an outcome/],
  ['is unmatched', { lead: { providerId: null } }, async () => {}, /no provider/],
  [
    'is quarantined',
    { lead: { quarantinedAt: new Date(noon), quarantineReason: 'honeypot' } },
    async () => {},
    /quarantine/,
  ],
  [
    'is of a person who withdrew',
    {},
    async ({ app, leadId }) => {
      const { key: identityKey } = await app.services.dataKeys.current('identity');
      const [lead] = await app.db.select().from(leads).where(eq(leads.id, leadId));
      const person = { emailNorm: lead?.emailNorm ?? '', phoneE164: lead?.phoneE164 ?? '' };
      await suppress(app.db, {
        ...{ person, identityKey, leadId, reason: 'withdrawn', how: 'page' },
        ...{ by: 'Visitor', ip: '203.0.113.10', now: new Date(noon) },
      });
    },
    /must not be contacted/,
  ],
  [
    'is of a clinic whose address refuses mail',
    {},
    ({ app }) =>
      markAddress(app.db, {
        ...{ address: 'front@clinic.example', cause: 'bounce', code: '5.1.1' },
        ...{ reason: 'Unknown.', now: new Date(noon) },
      }),
    /unreachable/,
  ],
  [
    'would arrive at 7 AM',
    {},
    async ({ clock }) => {
      clock.ms = Date.parse('2026-06-11T13:00:00Z');
    },
    /^It’s 7:00 AM at the clinic, outside its hours\. Remind it from 8:00 AM, its time\.$/,
  ],
  [
    'would arrive outside the clinic’s own hours',
    {
      provider: {
        hours: 'Mon 13:00-17:00; Tue closed; Wed closed; Thu closed; Fri closed; Sat closed; Sun closed',
        timeZone: 'America/New_York',
      },
    },
    async () => {},
    /^It’s 2:00 PM at the clinic, outside its hours\. Remind it from Monday, 1:00 PM, its time\.$/,
  ],
])('no clinic is reminded of a lead that %s', async (_, options, prepare, error) => {
  await using given = await setUp(options);
  await prepare(given);
  expect(await given.remind()).toEqual({ success: false, error: expect.stringMatching(error) });
  expect(given.server.received).toHaveLength(0);
  expect(await given.app.sql`select 1 from lead_reminders`).toHaveLength(0);
});

test('a reminder that the mail server refused doesn’t count, and is audited', async () => {
  await using given = await setUp({ refuses: true });
  expect(await given.remind()).toEqual({ success: false, error: expect.any(String) });
  expect(await given.app.sql`select 1 from lead_reminders`).toHaveLength(0);
  expect(await given.app.sql`select detail->>'success' as success from audit_log`).toEqual([
    { success: 'false' },
  ]);
});

test('a deleted lead’s clinic is not reminded', async () => {
  await using given = await setUp({ lead: { deletedAt: new Date(noon) } });
  await expect(given.remind()).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

import { expect, test } from 'vitest';
import { mailServer } from '#scripts/demo/mailServer.ts';
import { weeklyEmailCopy as copy } from '#shared/admin/summaryCopy.ts';
import { mailWeeklyFigures } from '#server/features/insights/weeklyEmail.ts';
import { insertProvider } from '#test/support/factories.ts';
import { insertLeads } from '#test/support/leadRows.ts';
import { getSession, insertAccount } from '#test/support/staff.ts';
import { testApp } from '#test/support/testApp.ts';

const zone = 'America/Denver';

async function setUp() {
  let isRefusing = false;
  const server = await mailServer({
    onMailFrom: (_address, _session, next) =>
      isRefusing ? next(Object.assign(new Error('not now'), { responseCode: 451 })) : next(),
  });
  // The Sunday on which daylight saving time begins: Monday at eight is 14:00 UTC, not 15:00.
  const clock = { ms: Date.parse('2099-03-08T18:00:00Z') };
  const app = await testApp({
    env: { SMTP_URL: `smtp://127.0.0.1:${server.port}`, MAIL_FROM: 'We <us@main.example>' },
    now: () => new Date(clock.ms),
  });
  const owner = await insertAccount(app, 'owner');
  const headers = await getSession(app, owner);
  return {
    app,
    owner,
    headers,
    received: server.received,
    set: (value: string | null, by = headers) =>
      app.post('/trpc/admin.insights.setWeeklyEmail', { zone: value }, by),
    /** Runs the work of two processes at this time. */
    mailAt: async (at: string) => {
      clock.ms = Date.parse(at);
      // The lease is by the database's clock, for which all of these days are to come.
      await app.sql`update weekly_emails set next_attempt_at = now() - interval '1 second' where next_attempt_at <= ${at}::timestamptz`;
      const sent = await Promise.all([mailWeeklyFigures(app.services), mailWeeklyFigures(app.services)]);
      return sent.reduce((sum, count) => sum + count, 0);
    },
    refuse: (isOn: boolean) => void (isRefusing = isOn),
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

test('an owner who turns it on gets one email a week, on Monday at eight of its zone', async () => {
  await using given = await setUp();
  const { app, owner, received } = given;
  const provider = await insertProvider(app.db, { name: 'Alpine Clinic' });
  const at = (day: string) => new Date(`2099-03-${day}T18:00:00Z`);
  await insertLeads(app.db, [
    { createdAt: at('02'), firstName: 'Ada', providerId: provider.id, outcome: 'booked' },
    { createdAt: at('08') },
    { createdAt: at('01') },
  ]);
  expect(await given.mailAt('2099-03-09T14:30:00Z')).toBe(0);
  await given.mailAt('2099-03-08T18:00:00Z');
  expect((await given.set(zone)).status).toBe(200);
  expect(await given.mailAt('2099-03-09T13:59:00Z')).toBe(0);
  expect(await given.mailAt('2099-03-09T14:01:00Z')).toBe(1);
  expect(await given.mailAt('2099-03-09T16:00:00Z')).toBe(0);
  expect(received).toHaveLength(1);
  const email = await received[0]?.email;
  expect(received[0]?.to).toEqual([owner.email]);
  expect(email?.text).toContain('Leads: 2 (1 more (+100%))');
  expect(email?.text).toContain('Booked: 1 (1 more (none before))');
  expect(email?.text).toContain('since=2099-03-02&until=2099-03-08');
  expect(email?.text).not.toMatch(/Ada|Alpine/);
  expect(await given.mailAt('2099-03-16T14:01:00Z')).toBe(1);
});

test('a refused email is repeated with the same Message-ID, a former owner gets none', async () => {
  await using given = await setUp();
  const { app, owner, received } = given;
  await given.set(zone);
  given.refuse(true);
  expect(await given.mailAt('2099-03-09T14:01:00Z')).toBe(0);
  const ids = () => app.sql`select id from weekly_emails`;
  const [before] = await ids();
  given.refuse(false);
  await app.sql`update weekly_emails set next_attempt_at = '2099-03-09T15:01:00Z'`;
  expect(await given.mailAt('2099-03-09T15:02:00Z')).toBe(1);
  expect((await received[0]?.email)?.messageId).toContain(String(before?.['id']));
  expect(await ids()).not.toEqual([before]);
  await app.sql`update staff_accounts set role = 'manager' where id = ${owner.id}`;
  expect(await given.mailAt('2099-03-16T14:01:00Z')).toBe(0);
  expect(received).toHaveLength(1);
});

test('it is off by default, and only for owners; the link and one click turn it off', async () => {
  await using given = await setUp();
  const { app, headers, received } = given;
  const rows = () => app.sql`select 1 from weekly_emails`;
  const manager = await getSession(app, await insertAccount(app, 'manager'));
  expect((await given.set(zone, manager)).status).toBe(403);
  expect((await app.get('/trpc/admin.insights.weeklyEmail', headers)).text).toContain('"isOn":false');
  expect((await given.set('Nowhere/City')).status).toBe(422);
  await given.set(zone);
  await given.mailAt('2099-03-09T14:01:00Z');
  const email = await received[0]?.email;
  const header = (name: string) => email?.headers.find(({ key }) => key === name)?.value;
  expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
  const [, path = ''] =
    /<https?:\/\/[^/>]+(\/weekly-email\/[^>]+)>/.exec(header('list-unsubscribe') ?? '') ?? [];
  const page = await app.get(path);
  expect([page.status, page.text.includes(copy.page.ask.title)]).toEqual([200, true]);
  expect(await rows()).toHaveLength(1);
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  expect((await app.post(path, 'token=wrong', form)).status).toBe(200);
  expect(await rows()).toHaveLength(1);
  expect((await app.post(path, 'List-Unsubscribe=One-Click', form)).status).toBe(303);
  expect(await rows()).toHaveLength(0);
  expect((await app.get(path)).text).toContain(copy.page.done.title);
  expect((await app.get('/weekly-email/1.forged')).status).toBe(404);
  const entries =
    await app.sql`select action, actor_kind from audit_log where action like 'weekly-email.%' order by id`;
  expect(entries).toEqual([
    { action: 'weekly-email.on', actor_kind: 'staff' },
    { action: 'weekly-email.off', actor_kind: 'visitor' },
  ]);
});

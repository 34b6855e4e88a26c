import { expect, test } from 'vitest';
import { z } from 'zod';
import { mailServer } from '#scripts/demo/mailServer.ts';
import { setupCopy as copy, setupState, testLeadOutput } from '#shared/admin/setup.ts';
import { summary } from '#server/features/insights/summary.ts';
import { insertProvider } from '#test/support/factories.ts';
import { insertLead } from '#test/support/leadRows.ts';
import { getToken, signedIn } from '#test/support/staff.ts';
import { testApp, type TestApp } from '#test/support/testApp.ts';

interface Given extends AsyncDisposable {
  app: TestApp;
  /** Whom messages were sent to. */
  received: () => string[];
}

async function setUp(refuses = false): Promise<Given> {
  const server = await mailServer(
    refuses
      ? {
          onRcptTo: (_to, _session, next) =>
            next(Object.assign(new Error('no such user'), { responseCode: 550 })),
        }
      : {},
  );
  const app = await testApp({
    env: { SMTP_URL: `smtp://127.0.0.1:${server.port}`, MAIL_FROM: 'We <us@main.example>' },
  });
  return {
    app,
    received: () => server.received.flatMap(({ to }) => to),
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** What a procedure returned. */
function parse<Data>(schema: z.ZodType<Data>, text: string): Data {
  return z.object({ result: z.object({ data: schema }) }).parse(JSON.parse(text)).result.data;
}

async function readState(app: TestApp, headers: Record<string, string>) {
  const { text } = await app.get('/trpc/admin.setup.get', headers);
  const state = parse(setupState, text);
  return { ...state, done: state.steps.filter(({ isDone }) => isDone).map(({ key }) => key) };
}

async function send(app: TestApp, headers: Record<string, string>) {
  const { text } = await app.post('/trpc/admin.setup.sendTest', {}, headers);
  return parse(testLeadOutput, text);
}

test('a test lead is stored, matched and mailed to its sender, and nothing counts it', async () => {
  await using given = await setUp();
  const { app } = given;
  const provider = await insertProvider(app.db, { name: 'Alpine Clinic', zipCode: '80202' });
  const headers = await signedIn(app, 'manager');
  expect((await readState(app, headers)).done).not.toContain('testLead');
  const { id, message } = await send(app, headers);
  expect(message).toMatch(/^Matched with Alpine Clinic, \d\.\d miles? away\. The mail server accepted/);
  const state = await readState(app, headers);
  expect(state).toMatchObject({ hasLeads: false, testLeadId: id });
  expect(state.done).toEqual(expect.arrayContaining(['provider', 'mail', 'testLead']));
  const [lead] = await app.sql`select provider_id::int, quarantine_reason from leads where id = ${id}`;
  expect(lead).toEqual({ provider_id: provider.id, quarantine_reason: 'test' });
  expect(given.received()).toHaveLength(1);
  expect(given.received()).not.toContain(provider.email);
  const counts = await app.sql`select (select count(*) from deliveries)::int as deliveries,
    (select count(*) from webhook_events)::int as events, (select count(*) from consent_records)::int as evidence`;
  expect(counts).toEqual([{ deliveries: 0, events: 0, evidence: 1 }]);
  const today = new Date().toISOString().slice(0, 10);
  expect(await summary(app.db, { from: today, to: today })).toMatchObject({
    hasLeads: false,
    current: { leads: 0 },
  });
  const real = await insertLead(app.db, { firstName: 'Real' });
  const file = await app.get('/api/leads.csv', await getToken(app, ['leads:read']));
  const rows = file.text.trimEnd().split('\r\n').slice(1);
  expect([rows.length, rows[0]?.includes('Real'), real.id > id]).toEqual([1, true, true]);
  expect((await readState(app, headers)).hasLeads).toBe(true);
});

test('a test lead can be deleted and sent again, and never released', async () => {
  await using given = await setUp();
  const { app } = given;
  const headers = await signedIn(app, 'manager');
  const first = await send(app, headers);
  expect(first.message).toContain(copy.message.unmatched);
  const released = await app.post('/trpc/admin.leads.release', { id: first.id }, headers);
  expect(released.status).toBe(404);
  const [kept] = await app.sql`select quarantine_reason from leads where id = ${first.id}`;
  expect(kept).toEqual({ quarantine_reason: 'test' });
  expect((await app.post('/trpc/admin.leads.remove', { id: first.id }, headers)).status).toBe(200);
  expect((await readState(app, headers)).testLeadId).toBeNull();
  const second = await send(app, headers);
  expect(second.id).not.toBe(first.id);
});

test('a refused message is reported and checks nothing off; viewers send none', async () => {
  await using given = await setUp(true);
  const { app } = given;
  const headers = await signedIn(app, 'owner');
  const { message } = await send(app, headers);
  expect(message).toContain('The message wasn’t accepted:');
  expect((await readState(app, headers)).done).not.toContain('mail');
  const viewer = await signedIn(app, 'viewer');
  expect((await app.post('/trpc/admin.setup.sendTest', {}, viewer)).status).toBe(403);
  expect((await readState(app, viewer)).hasLeads).toBe(false);
});

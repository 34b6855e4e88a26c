import { describe, expect, test } from 'vitest';
import type { AdminLead } from '#shared/admin/adminLeads.ts';
import type { ProviderRow } from '#server/db/schema/index.ts';
import { insertProvider } from '#test/support/factories.ts';
import { sendLead } from '#test/support/leadList.ts';
import { insertLead } from '#test/support/leadRows.ts';
import { deliverOne } from '#test/support/outboxSetup.ts';
import { type MailServer, mailServer } from '#scripts/demo/mailServer.ts';
import { signedIn, type StaffHeaders } from '#test/support/staff.ts';
import { type TestApp, testApp } from '#test/support/testApp.ts';

interface At extends AsyncDisposable {
  app: TestApp;
  server: MailServer;
  provider: ProviderRow;
  headers: StaffHeaders;
  /** Whether the provider's mail server knows the mailbox. */
  mailbox: { exists: boolean };
  post: (procedure: string, input: object) => Promise<unknown>;
  listed: (id: number) => Promise<AdminLead | undefined>;
  toProvider: () => number;
}

/** A provider whose mailbox is refused. */
async function setUp(): Promise<At> {
  const mailbox = { exists: false };
  const server = await mailServer({
    onRcptTo: ({ address }, _session, callback) =>
      callback(
        mailbox.exists || address !== 'desk@clinic.example'
          ? undefined
          : Object.assign(new Error('5.1.1 no such mailbox'), { responseCode: 550 }),
      ),
  });
  const app = await testApp({
    env: { SMTP_URL: `smtp://127.0.0.1:${server.port}`, MAIL_FROM: 'We <us@main.example>' },
  });
  const provider = await insertProvider(app.db, { zipCode: '80202', email: 'desk@clinic.example' });
  const headers = await signedIn(app);
  return {
    ...{ app, server, provider, headers, mailbox },
    post: async (procedure, input) =>
      Object((await app.post(`/trpc/admin.leads.${procedure}`, input, headers)).json()),
    listed: async (id) => {
      const { json } = await app.get(`/api/leads?search=${id}`, headers);
      const { leads }: { leads: AdminLead[] } = Object(json());
      return leads.find((lead) => lead.id === id);
    },
    toProvider: () => server.received.filter(({ to }) => to.includes('desk@clinic.example')).length,
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** Makes the attempts that are due, as a worker does. */
async function work({ sql, services }: TestApp): Promise<void> {
  const due = await sql<{ id: string }[]>`select id from deliveries where state = 'queued' order by id`;
  for (const { id } of due) await deliverOne(services, id);
}

async function notReached({ app, listed }: At, count = 1): Promise<number[]> {
  const ids: number[] = [];
  for (let at = 0; at < count; at += 1)
    ids.push(await sendLead(app, { email: `lead-${at}@mail.example`, phone: `303555010${at}` }));
  await work(app);
  for (const id of ids) expect(await listed(id)).toMatchObject({ clinicNotReached: true });
  return ids;
}

const data = (result: unknown) => ({ result: { data: result } });

describe('staff resend a lead to its provider', () => {
  test('whose mailbox was refused: an attempt now, whose result they get', async () => {
    await using at = await setUp();
    const [id = 0] = await notReached(at);
    expect(await at.listed(id)).toMatchObject({
      providerDelivery: { reason: expect.stringContaining('550') },
    });
    // The refused address stays with its attempt.
    expect(await at.app.sql`select address from delivery_attempts where channel = 'provider-email'`).toEqual([
      { address: 'desk@clinic.example' },
    ]);
    expect(await at.post('resendToProvider', { id })).toMatchObject(
      data({ success: false, error: expect.stringContaining('550') }),
    );
    at.mailbox.exists = true;
    expect(await at.post('resendToProvider', { id })).toEqual(data({ success: true }));
    expect(at.toProvider()).toBe(1);
    expect(await at.listed(id)).toMatchObject({
      clinicNotReached: false,
      providerDelivery: { state: 'delivered', reason: null },
    });
    const audited = await at.app.sql`
      select subject_id::int as id, detail from audit_log where action = 'lead.retry' order by id`;
    expect(audited).toMatchObject([
      { id, detail: { what: 'provider', success: false } },
      { id, detail: { what: 'provider', success: true } },
    ]);
  });

  test('without a record of consent: it stays not reached, and says why', async () => {
    await using at = await setUp();
    at.mailbox.exists = true;
    const { id } = await insertLead(at.app.db, { zipCode: '80202' });
    expect(await at.post('assign', { id, providerId: at.provider.id })).toMatchObject(data({}));
    // After the time for Undo.
    await at.app.sql`update deliveries set next_attempt_at = now() where state = 'queued'`;
    await work(at.app);
    const reason = 'There is no consent on record.';
    const failed = { clinicNotReached: true, providerDelivery: { state: 'failed', reason } };
    expect(await at.listed(id)).toMatchObject(failed);
    expect(await at.post('resendToProvider', { id })).toEqual(data({ success: false, error: reason }));
    expect(await at.listed(id)).toMatchObject(failed);
    expect(at.toProvider()).toBe(0);
  });

  test('that it has, three times in a day', async () => {
    await using at = await setUp();
    at.mailbox.exists = true;
    const id = await sendLead(at.app);
    await work(at.app);
    expect(at.toProvider()).toBe(1);
    for (let nth = 1; nth <= 3; nth += 1)
      expect(await at.post('resendToProvider', { id })).toEqual(data({ success: true }));
    expect(at.toProvider()).toBe(4);
    expect(await at.post('resendToProvider', { id })).toEqual(
      data({ success: false, error: expect.stringMatching(/was resent 3 times in the last 24 hours/) }),
    );
    expect(await at.post('bulkResendToProvider', { ids: [id] })).toEqual(data({ changed: [] }));
    expect(at.toProvider()).toBe(4);
  });

  test('of several leads at a time, those that have a provider', async () => {
    await using at = await setUp();
    const ids = await notReached(at, 2);
    const unmatched = await sendLead(at.app, { zip_code: '99501', email: 'far@mail.example' });
    at.mailbox.exists = true;
    const answer = await at.post('bulkResendToProvider', { ids: [...ids, unmatched, 999_999] });
    expect(answer).toEqual(data({ changed: ids }));
    await work(at.app);
    expect(at.toProvider()).toBe(2);
    expect(await at.post('resendToProvider', { id: unmatched })).toEqual(
      data({ success: false, error: 'The lead has no provider. Assign one first.' }),
    );
  });
});

test('a viewer may not resend to providers', async () => {
  await using at = await setUp();
  const id = await sendLead(at.app);
  const viewer = await signedIn(at.app, 'viewer');
  for (const [procedure, input] of [
    ['resendToProvider', { id }],
    ['bulkResendToProvider', { ids: [id] }],
    ['undoAssign', { ids: [id] }],
  ] as const)
    expect((await at.app.post(`/trpc/admin.leads.${procedure}`, input, viewer)).status).toBe(403);
});

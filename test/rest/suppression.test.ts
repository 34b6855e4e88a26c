import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { runSuppression } from '#scripts/suppression.ts';
import { signWithdrawal } from '#server/features/mail/linkTokens.ts';
import { withdraw } from '#shared/brand/withdraw.ts';
import { suppressedReason } from '#shared/leads/suppression.ts';
import { insertProvider } from '#test/support/factories.ts';
import { insertDelivery } from '#test/support/outboxSetup.ts';
import { insertAgreed, insertLead } from '#test/support/leadRows.ts';
import { signedIn, type StaffHeaders, getToken } from '#test/support/staff.ts';
import { type Answer, testApp, type TestApp } from '#test/support/testApp.ts';
import { testSecret } from '#test/support/testKeys.ts';
import { formType, linkForm, pressLink } from '#test/support/linkForm.ts';
import { meets } from '#test/support/meets.ts';

const phone = '(303) 555-0191';

function getPath({ services }: TestApp, { publicId }: { publicId: string }): string {
  return `/withdraw/${signWithdrawal(services.config.secretKeys, publicId)}`;
}

/** The drawer's data about a lead. */
async function buildDetail(app: TestApp, id: number): Promise<z.infer<typeof detail>> {
  const headers = await signedIn(app, 'viewer');
  const answer = await app.get(`/trpc/admin.leads.get?input=${encodeURIComponent(`{"id":${id}}`)}`, headers);
  return z.object({ result: z.object({ data: detail }) }).parse(answer.json()).result.data;
}
const detail = z.object({
  isSuppressed: z.boolean(),
  suppression: z.object({ email: z.unknown(), phone: z.unknown() }),
  tasks: z.array(z.object({ id: z.number(), kind: z.string() })),
  events: z.array(z.object({ kind: z.string(), by: z.string(), detail: z.string() })),
});

async function getAudit({ sql }: TestApp, action: string): Promise<unknown[]> {
  return [
    ...(await sql`
      select actor_name as by, subject_id::int as lead, detail from audit_log where action = ${action} order by subject_id`),
  ];
}

async function states({ sql }: TestApp): Promise<Record<string, string>> {
  const rows = await sql<{ lead: number; state: string }[]>`
    select lead_id::int as lead, state from deliveries where template = 'lead'`;
  return Object.fromEntries(rows.map(({ lead, state }) => [lead, state]));
}

/** The number of statements of this database that wait for a lock. */
async function waitingForLocks({ sql }: TestApp): Promise<number> {
  const rows = await sql`
    select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return rows.length;
}

describe('lifting', () => {
  function lift(app: TestApp, id: number, body: object, who: StaffHeaders): Promise<Answer> {
    return app.post(`/api/leads/${id}/lift-suppression`, body, who);
  }

  test('an owner lifts email and phone separately, with a reason', async () => {
    meets('D.abuse.19 D.abuse.21');
    await using app = await testApp();
    const lead = await insertAgreed(app.db, { phone });
    await app.post('/trpc/admin.suppressions.add', { id: lead.id }, await signedIn(app, 'manager'));
    const listed = { since: expect.any(String), by: 'Test manager', reason: 'do-not-contact' };
    expect(await buildDetail(app, lead.id)).toMatchObject({ suppression: { email: listed, phone: listed } });

    const owner = await signedIn(app, 'owner');
    const reason = 'They called on 2026-11-20 and asked to be contacted again.';
    const answer = await lift(app, lead.id, { kind: 'phone', reason }, owner);
    expect([answer.status, answer.json()]).toEqual([200, { leadIds: [lead.id] }]);
    expect(await buildDetail(app, lead.id)).toMatchObject({
      isSuppressed: true,
      suppression: { email: listed, phone: null },
      events: expect.arrayContaining([
        { kind: 'withdrawn', by: 'Test manager', detail: 'Recorded by staff' },
        { kind: 'lifted', by: 'Test owner', detail: `Phone: ${reason}` },
      ]),
    });
    expect((await lift(app, lead.id, { kind: 'phone', reason }, owner)).status).toBe(404);
    await lift(app, lead.id, { kind: 'email', reason }, owner);
    expect(await buildDetail(app, lead.id)).toMatchObject({ isSuppressed: false });
    expect(await getAudit(app, 'suppression.lift')).toEqual([
      { by: 'Test owner', lead: lead.id, detail: { kind: 'phone', reason } },
      { by: 'Test owner', lead: lead.id, detail: { kind: 'email', reason } },
    ]);
  });

  test('without an owner and a valid reason, nothing is lifted', async () => {
    meets('D.abuse.20');
    await using app = await testApp();
    const lead = await insertLead(app.db);
    await app.post('/trpc/admin.suppressions.add', { id: lead.id }, await getToken(app, ['leads:write']));
    const owner = await signedIn(app, 'owner');
    for (const [reason, said] of [
      ['', 'Say why'],
      ['ab', 'Say why'],
      ['x'.repeat(201), 'At most 200'],
      ['She wrote from ada@mail.example', 'Leave out'],
      ['Call (303) 555-0191 first', 'Leave out'],
    ] as const) {
      const answer = await lift(app, lead.id, { kind: 'email', reason }, owner);
      expect([reason, answer.status, answer.text]).toEqual([reason, 422, expect.stringContaining(said)]);
    }
    const byManager = await lift(app, lead.id, { kind: 'email', reason: 'By mistake.' }, await signedIn(app));
    expect(byManager.status).toBe(403);
    expect(await app.sql`select 1 from suppressions`).toHaveLength(2);
    expect(await getAudit(app, 'suppression.lift')).toEqual([]);
  });

  test('after a lift, staff retry, and the link withdraws again', async () => {
    meets('D.errors.20');
    await using app = await testApp();
    const provider = await insertProvider(app.db);
    const lead = await insertAgreed(app.db, { providerId: provider.id });
    const given = { leadId: lead.id, providerId: provider.id, channel: 'provider-email' } as const;
    await insertDelivery(app, { ...given, state: 'delivered' });
    const id = await insertDelivery(app, { ...given, channel: 'lead-email' });
    const link = getPath(app, lead);
    await pressLink(app, link);
    const manager = await signedIn(app, 'manager');
    const retry = async (): Promise<unknown> => {
      const answer = await app.post(`/api/leads/${lead.id}/retry-email`, {}, manager);
      expect(answer.status).toBe(200);
      return answer.json();
    };
    const queue = async (): Promise<unknown> =>
      (await app.post('/trpc/admin.deliveries.retry', { ids: [id] }, manager)).json();
    expect(await retry()).toEqual({ success: false, error: suppressedReason });
    expect(await queue()).toEqual({ result: { data: { queued: [] } } });

    await lift(app, lead.id, { kind: 'email', reason: 'They asked for it.' }, await signedIn(app, 'owner'));
    expect((await app.get(link)).text).toContain(withdraw.ask.title);
    expect(await queue()).toEqual({ result: { data: { queued: [id] } } });
    await app.sql`update deliveries set state = 'cancelled', next_attempt_at = null, finished_at = now(), reason = ${suppressedReason} where id = ${id}`;
    expect(await retry()).toEqual({ success: true });

    await pressLink(app, link);
    expect((await app.get(link)).text).toContain(withdraw.done.title);
    const said = await app.sql`select how from consent_withdrawals where lead_id = ${lead.id}`;
    expect([...said]).toEqual([{ how: 'page' }, { how: 'page' }]);
    expect(await app.sql`select 1 from deliveries where template = 'withdrawn'`).toHaveLength(2);
  });

  test('a suppressed delivery can be retried only after a lift', async () => {
    await using app = await testApp();
    const lead = await insertAgreed(app.db);
    const id = await insertDelivery(app, { leadId: lead.id, channel: 'lead-email' });
    const other = await insertDelivery(app, {
      leadId: lead.id,
      channel: 'crm',
      state: 'cancelled',
      reason: 'The lead was deleted.',
    });
    await pressLink(app, getPath(app, lead));
    const manager = await signedIn(app, 'manager');
    const listed = z.object({
      result: z.object({
        data: z.object({ deliveries: z.array(z.object({ id: z.string(), isRetryable: z.boolean() })) }),
      }),
    });
    const retryable = async () => {
      const answer = listed.parse((await app.post('/trpc/admin.deliveries.list', {}, manager)).json());
      return new Map(answer.result.data.deliveries.map((row) => [row.id, row.isRetryable]));
    };
    const before = await retryable();
    expect([before.get(id), before.get(other)]).toEqual([false, false]);
    await lift(app, lead.id, { kind: 'email', reason: 'They asked for it.' }, await signedIn(app, 'owner'));
    const after = await retryable();
    expect([after.get(id), after.get(other)]).toEqual([true, false]);
  });

  test('the entries of an erased person are lifted by command only', async () => {
    await using app = await testApp();
    const lead = await insertLead(app.db, { email: 'Ada@mail.example', phone });
    await app.post(
      '/trpc/admin.personalData.erase',
      { leadId: lead.id, confirmation: String(lead.id), reason: 'asked' },
      await signedIn(app, 'owner'),
    );
    expect(await app.sql`select 1 from suppressions`).toHaveLength(2);
    const run = (...args: string[]): Promise<void> =>
      runSuppression({ url: app.database.url, secretKeys: [testSecret] }, args);
    const why = ['--reason', 'They came back.'];
    await run('lift', '--email', 'Ada@mａil.example', ...why);
    await run('lift', '--phone', '+1 303 555 0191', ...why);
    expect(await app.sql`select 1 from suppressions`).toHaveLength(0);
    expect(await getAudit(app, 'suppression.lift')).toMatchObject([
      { by: 'npm run suppression', lead: null, detail: { kind: 'email', reason: 'They came back.' } },
      { lead: null, detail: { kind: 'phone' } },
    ]);
    await expect(run('lift', '--email', 'ada@mail.example', ...why)).rejects.toThrow('isn’t on the list');
    await expect(run('lift', '--email', 'ada@mail.example')).rejects.toThrow('--reason');
    await expect(run('lift', '--phone', '12', ...why)).rejects.toThrow('--phone');
  });
});

describe('a staff task', () => {
  /** A lead whose phone another person withdrew, and that person's lead. */
  async function given(app: TestApp): Promise<{ victim: number; stranger: number; task: number }> {
    const victim = await insertAgreed(app.db, { email: 'vera@victim.example', phone });
    const stranger = await insertAgreed(app.db, { email: 'mal@attacker.example', phone });
    for (const { id } of [victim, stranger]) await insertDelivery(app, { leadId: id });
    await pressLink(app, getPath(app, stranger));
    const { tasks } = await buildDetail(app, victim.id);
    expect(tasks).toMatchObject([{ kind: 'phone-withdrawn' }]);
    return { victim: victim.id, stranger: stranger.id, task: tasks[0]?.id ?? 0 };
  }

  async function decide(app: TestApp, task: number, decision: string): Promise<Answer> {
    return app.post(`/api/tasks/${task}/complete`, { decision }, await getToken(app, ['leads:write']));
  }

  async function openTasks(app: TestApp): Promise<unknown> {
    return (await app.get('/api/tasks', await getToken(app, ['leads:read']))).json();
  }

  test('is listed with its lead, and by the filter, until it is done', async () => {
    meets('D.errors.10');
    await using app = await testApp();
    const { victim, task } = await given(app);
    const shown = { id: task, kind: 'phone-withdrawn', created_at: expect.any(String) };
    expect(await openTasks(app)).toMatchObject({ tasks: [{ ...shown, lead: { id: victim } }] });
    const headers = await getToken(app, ['leads:read']);
    const found = (await app.get('/api/leads?task=phone-withdrawn', headers)).json();
    expect(found).toMatchObject({ total: 1, leads: [{ id: victim }] });

    expect((await decide(app, task, 'keep-serving')).json()).toEqual({ id: task, leadIds: [] });
    expect(await openTasks(app)).toEqual({ tasks: [] });
    expect(await states(app)).toMatchObject({ [victim]: 'queued' });
    expect((await decide(app, task, 'stop-phone')).status).toBe(409);
    expect(await getAudit(app, 'task.complete')).toEqual([
      { by: 'Test script', lead: victim, detail: { task, decision: 'keep-serving' } },
    ]);
    const { events, tasks } = await buildDetail(app, victim);
    expect(tasks).toEqual([]);
    expect(events.filter(({ kind }) => ['phone-withdrawn', 'task-done'].includes(kind))).toMatchObject([
      { kind: 'phone-withdrawn', by: 'System' },
      { kind: 'task-done', by: 'Test script', detail: 'Keep contacting' },
    ]);
  });

  test('a stop suppresses the phone for every lead with it', async () => {
    meets('D.abuse.18');
    await using app = await testApp();
    const { victim, stranger, task } = await given(app);
    const also = await insertAgreed(app.db, { email: 'third@mail.example', phone });
    await insertDelivery(app, { leadId: also.id });
    expect((await decide(app, task, 'stop-phone')).json()).toEqual({
      id: task,
      leadIds: [victim, stranger, also.id],
    });
    expect(await states(app)).toEqual({
      [victim]: 'cancelled',
      [stranger]: 'cancelled',
      [also.id]: 'cancelled',
    });
    expect(await buildDetail(app, victim)).toMatchObject({
      suppression: { email: null, phone: { by: 'Test script', reason: 'do-not-contact' } },
    });
    expect(await getAudit(app, 'lead.suppress')).toEqual(
      [victim, stranger, also.id].map((lead) => ({
        by: 'Test script',
        lead,
        detail: { listed: ['phone'] },
      })),
    );
    expect(await getAudit(app, 'task.complete')).toMatchObject([{ lead: victim }]);
  });

  test.each(['link first', 'task first'])(
    'doing a task while its person withdraws by link fails neither (%s)',
    async (order) => {
      await using app = await testApp();
      const { victim, task } = await given(app);
      const [lead] = await app.sql<{ public_id: string }[]>`select public_id from leads where id = ${victim}`;
      const calls = [
        () => pressLink(app, getPath(app, { publicId: lead?.public_id ?? '' })),
        () => decide(app, task, 'stop-phone'),
      ];
      if (order === 'task first') calls.reverse();
      // Both wait for the delivery's lock before either continues.
      const answers = await app.sql.begin(async (tx) => {
        await tx`select 1 from deliveries where lead_id = ${victim} for update`;
        const started: Promise<Answer>[] = [];
        for (const call of calls) {
          started.push(call());
          await expect.poll(() => waitingForLocks(app)).toBe(started.length);
        }
        return { all: Promise.all(started) };
      });
      expect((await answers.all).map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 303]);
      expect(await openTasks(app)).toEqual({ tasks: [] });
      expect(await app.sql`select 1 from staff_tasks where done_by = 'Test script'`).toHaveLength(
        order === 'task first' ? 1 : 0,
      );
    },
  );

  test('is closed by a suppression of the person and deleted by an erasure', async () => {
    await using app = await testApp();
    const { victim } = await given(app);
    await app.post('/trpc/admin.suppressions.add', { id: victim }, await getToken(app, ['leads:write']));
    expect(await openTasks(app)).toEqual({ tasks: [] });
    expect(await app.sql`select 1 from staff_tasks where lead_id = ${victim}`).toHaveLength(1);
    await app.post(
      '/trpc/admin.personalData.erase',
      { leadId: victim, confirmation: String(victim), reason: 'asked' },
      await signedIn(app, 'owner'),
    );
    expect(await app.sql`select 1 from staff_tasks`).toHaveLength(0);
  });
});

describe('signed links', () => {
  test('a withdrawal link works after its lead was erased', async () => {
    await using app = await testApp();
    const lead = await insertAgreed(app.db, { email: 'ada@mail.example' });
    const link = getPath(app, lead);
    await app.post(
      '/trpc/admin.personalData.erase',
      { leadId: lead.id, confirmation: String(lead.id), reason: 'asked' },
      await signedIn(app, 'owner'),
    );
    const [row] = await app.sql`select public_id from leads where id = ${lead.id}`;
    expect(row?.['public_id']).not.toBe(lead.publicId);
    expect((await app.get(link)).text).toContain(withdraw.done.title);
    expect((await app.post(link, linkForm(app.services, link), formType)).status).toBe(303);
    expect(await app.sql`select 1 from suppressions`).toHaveLength(2);
  });
});

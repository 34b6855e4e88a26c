import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { deliveries } from '#server/db/schema/index.ts';
import { retryNow } from '#server/features/outbox/attemptDelivery.ts';
import { crmEnvironment, insertDelivery } from '#test/support/outboxSetup.ts';
import { insertProvider } from '#test/support/factories.ts';
import { insertLead, insertLeads } from '#test/support/leadRows.ts';
import { meets } from '#test/support/meets.ts';
import { answers, answersAfter, startReceiver, takes } from '#test/support/receiver.ts';
import { signedIn, getToken } from '#test/support/staff.ts';
import { type TestApp, testApp } from '#test/support/testApp.ts';
import { waitUntil } from '#test/support/waitFor.ts';

const dayMs = 86_400_000;
const now = () => new Date('2026-06-10T12:00:00Z');

async function retry(app: TestApp, leadId: number, what: 'sync' | 'email' = 'sync'): Promise<unknown> {
  const answer = await app.post(
    `/api/leads/${leadId}/retry-${what}`,
    {},
    await getToken(app, ['leads:write']),
  );
  expect(answer.status).toBe(200);
  return answer.json();
}

async function rows(app: TestApp): Promise<Record<string, unknown>[]> {
  return app.sql`select d.id, d.state, d.attempts, d.attempts_before_round, d.requested_by, l.crm_sync_status as status
    from deliveries d join leads l on l.id = d.lead_id order by d.id`;
}

describe('retry-sync', () => {
  test('makes one attempt with the delivery’s key and returns its result', async () => {
    meets('P4.state.24 P5.valid.30 P7.call.30 P7.call.31 D.errors.19 D.deliveries.17');
    await using receiver = await startReceiver(answers(503));
    await using app = await testApp({ env: crmEnvironment(receiver), now });
    const lead = await insertLead(app.db, { crmSyncStatus: 'failed' });
    const id = await insertDelivery(app, { leadId: lead.id, state: 'failed', attempts: 8 });
    expect(await retry(app, lead.id)).toEqual({ success: false, error: 'The CRM returned HTTP 503.' });
    // A new round of attempts starts, on the retry schedule.
    expect(await rows(app)).toEqual([
      { id, state: 'queued', attempts: 9, attempts_before_round: 8, requested_by: null, status: 'pending' },
    ]);
    receiver.become(answers(400));
    expect(await retry(app, lead.id)).toEqual({ success: false, error: 'The CRM returned HTTP 400.' });
    expect(await rows(app)).toMatchObject([{ state: 'failed', attempts: 10, status: 'failed' }]);
    receiver.become(answers(200, '{"id":5}'));
    expect(await retry(app, lead.id)).toEqual({ success: true });
    expect(await rows(app)).toMatchObject([{ state: 'delivered', status: 'success' }]);
    expect(receiver.received.map(({ key }) => key)).toEqual([id, id, id]);
    const audited = await app.sql`select detail from audit_log where action = 'lead.retry' order by id`;
    expect(audited.map(({ detail }) => detail as unknown)).toEqual([
      { what: 'sync', success: false, error: 'The CRM returned HTTP 503.' },
      { what: 'sync', success: false, error: 'The CRM returned HTTP 400.' },
      { what: 'sync', success: true },
    ]);
  });

  test('delivers a lead that never was delivered, matched or not', async () => {
    await using receiver = await startReceiver();
    await using app = await testApp({ env: crmEnvironment(receiver), now });
    const provider = await insertProvider(app.db);
    const [unmatched, matched] = await insertLeads(app.db, [{}, { providerId: provider.id }]);
    for (const lead of [unmatched, matched])
      expect(await retry(app, lead?.id ?? 0)).toEqual({ success: true });
    const sent = receiver.received.map(
      ({ body }) => (JSON.parse(body) as { data: { provider_id: unknown } }).data,
    );
    expect(sent.map(({ provider_id }) => provider_id)).toEqual([null, provider.id]);
    expect(await rows(app)).toMatchObject([{ requested_by: 'Test script' }, { requested_by: 'Test script' }]);
  });

  test('makes one attempt for concurrent calls, which get the same result', async () => {
    const released = Promise.withResolvers<void>();
    await using receiver = await startReceiver(answersAfter(released.promise, answers(502)));
    await using app = await testApp({ env: crmEnvironment(receiver) });
    await using other = await testApp({ env: crmEnvironment(receiver), database: app.database });
    const lead = await insertLead(app.db);
    const id = await insertDelivery(app, { leadId: lead.id, nextAttemptAt: new Date(Date.now() + dayMs) });
    const first = retry(app, lead.id);
    await waitUntil(() => receiver.received.length === 1);
    let waiting = 0;
    const rest = [app, app, other, other].map(({ services }) => retryNow(services, id, () => (waiting += 1)));
    await waitUntil(() => waiting === 4);
    released.resolve();
    const reason = 'The CRM returned HTTP 502.';
    expect(await first).toEqual({ success: false, error: reason });
    for (const outcome of await Promise.all(rest)) expect(outcome).toEqual({ state: 'queued', reason });
    expect(receiver.received).toHaveLength(1);
  });

  test('without a CRM stays pending and returns the reason', async () => {
    meets('D.deliveries.32 D.deliveries.33');
    await using app = await testApp({ now });
    const lead = await insertLead(app.db);
    expect(await retry(app, lead.id)).toEqual({ success: false, error: 'CRM sync is not configured.' });
    expect(await rows(app)).toMatchObject([{ state: 'held', attempts: 0, status: 'pending' }]);
  });

  test('that is impossible keeps an earlier delivered delivery', async () => {
    await using app = await testApp({ now });
    const finishedAt = new Date(now().getTime() - dayMs);
    const lead = await insertLead(app.db, { crmSyncStatus: 'success' });
    const arrived = { leadId: lead.id, state: 'delivered', reason: null, attempts: 1, finishedAt } as const;
    const id = await insertDelivery(app, arrived);
    const row = () => app.db.select().from(deliveries).where(eq(deliveries.id, id));
    const before = await row();
    expect(await retry(app, lead.id)).toEqual({ success: false, error: 'CRM sync is not configured.' });
    expect(await row()).toEqual([{ ...before[0], ignoresUnreachable: true, attemptsBeforeRound: 1 }]);
    expect(await rows(app)).toMatchObject([{ state: 'delivered', status: 'success' }]);
  });

  test('delivers nothing about a suppressed person or a lead in quarantine', async () => {
    await using receiver = await startReceiver();
    await using app = await testApp({ env: crmEnvironment(receiver), now });
    const [caught, stopped] = await insertLeads(app.db, [
      { quarantinedAt: now(), quarantineReason: 'honeypot' },
      { acceptanceConsent: false },
    ]);
    expect(await retry(app, caught?.id ?? 0)).toMatchObject({ success: false });
    expect(await retry(app, stopped?.id ?? 0)).toEqual({
      success: false,
      error: 'The person has not agreed to be contacted, or withdrew this request.',
    });
    expect(receiver.received).toEqual([]);
  });
});

test('a delivered email is resent at most three times in 24 hours', async () => {
  meets('D.abuse.13');
  await using app = await testApp({ now });
  const lead = await insertLead(app.db);
  const arrived = { leadId: lead.id, channel: 'lead-email', state: 'delivered', reason: null } as const;
  await insertDelivery(app, { ...arrived, createdAt: new Date(now().getTime() - 2 * dayMs) });
  const resent = (ageMs: number) =>
    insertDelivery(app, { ...arrived, requestedBy: 'Ada', createdAt: new Date(now().getTime() - ageMs) });
  await resent(dayMs + 1000);
  await resent(3000);
  await resent(2000);
  // The third resend: it counts, although no mail server is configured.
  expect(await retry(app, lead.id, 'email')).toMatchObject({ success: false });
  await app.db.update(deliveries).set({ state: 'delivered', reason: null });
  expect(await retry(app, lead.id, 'email')).toEqual({
    success: false,
    error: 'This email was resent 3 times in the last 24 hours. Try again later.',
  });
  expect(await rows(app)).toHaveLength(5);
});

test('a bulk retry queues leads for the CRM, also new ones, and a worker delivers them', async () => {
  meets('D.admin.58');
  await using receiver = await startReceiver(takes);
  await using app = await testApp({ env: crmEnvironment(receiver), worker: true });
  const [failed, fresh, done, gone] = await insertLeads(app.db, [
    { crmSyncStatus: 'failed' },
    {},
    { crmSyncStatus: 'success' },
    { deletedAt: new Date() },
  ]);
  const ids = [failed, fresh, done, gone].map((lead) => lead?.id ?? 0);
  const failedId = await insertDelivery(app, { leadId: failed?.id ?? 0, state: 'failed', attempts: 8 });
  await insertDelivery(app, { leadId: done?.id ?? 0, state: 'delivered', reason: null });
  const answer = await app.post('/trpc/admin.leads.bulkRetrySync', { ids }, await signedIn(app));
  expect(answer.text).toContain('"success":true');
  await expect
    .poll(() => app.sql`select id from leads where crm_sync_status = 'success' order by id`)
    .toHaveLength(3);
  expect(receiver.received).toHaveLength(2);
  expect(receiver.received.map(({ key }) => key)).toContain(failedId);
});

test('a bulk retry audits only the leads that it queued, and fails without any', async () => {
  await using receiver = await startReceiver(takes);
  await using app = await testApp({ env: crmEnvironment(receiver), now });
  const [failed, fresh, done, stopped, caught, tried] = await insertLeads(app.db, [
    { crmSyncStatus: 'failed' },
    {},
    { crmSyncStatus: 'success' },
    { crmSyncStatus: 'failed' },
    { quarantinedAt: now(), quarantineReason: 'honeypot' },
    {},
  ]);
  const id = (lead: { id: number } | undefined): number => lead?.id ?? 0;
  await insertDelivery(app, { leadId: id(failed), state: 'failed', attempts: 8 });
  await insertDelivery(app, { leadId: id(done), state: 'delivered', reason: null });
  await insertDelivery(app, { leadId: id(stopped), state: 'cancelled' });
  await insertDelivery(app, { leadId: id(tried), leasedUntil: new Date(now().getTime() + 1000) });
  const headers = await signedIn(app);
  const none = [done, stopped, caught, tried].map(id);
  const bulk = async (ids: number[]): Promise<unknown> =>
    (await app.post('/trpc/admin.leads.bulkRetrySync', { ids }, headers)).json();
  const lines = () => app.sql`select subject_id::int as id, detail from audit_log order by id`;
  expect(await bulk(none)).toEqual({
    result: { data: { success: false, error: expect.stringMatching(/^Nothing was queued\. /) } },
  });
  expect([...(await lines())]).toEqual([]);
  expect(await bulk([...none, id(fresh), id(failed)])).toEqual({ result: { data: { success: true } } });
  const detail = { what: 'sync', queued: true };
  expect([...(await lines())]).toEqual([
    { id: id(failed), detail },
    { id: id(fresh), detail },
  ]);
  expect(await app.sql`select id from leads where crm_sync_status = 'success'`).toHaveLength(1);
});

test('a retry from the list of deliveries is one attempt, whose result staff get', async () => {
  await using receiver = await startReceiver(answers(422, '{"error":"Property \\"zip\\" is not valid"}'));
  await using app = await testApp({ env: crmEnvironment(receiver), now });
  const lead = await insertLead(app.db);
  const id = await insertDelivery(app, { leadId: lead.id, state: 'failed', attempts: 1 });
  const retryNowAs = async (role: 'manager' | 'viewer') =>
    app.post('/trpc/admin.deliveries.retryNow', { id }, await signedIn(app, role));
  const answer = 'Property "zip" is not valid';
  expect((await retryNowAs('manager')).json()).toMatchObject({
    result: { data: { id, state: 'failed', reason: 'The CRM returned HTTP 422.', answerText: answer } },
  });
  receiver.become(answers(503));
  expect((await retryNowAs('manager')).json()).toMatchObject({
    result: { data: { state: 'queued', reason: 'The CRM returned HTTP 503.' } },
  });
  receiver.become(takes);
  expect((await retryNowAs('viewer')).status).toBe(403);
  expect((await retryNowAs('manager')).json()).toMatchObject({ result: { data: { state: 'delivered' } } });
  const again = await retryNowAs('manager');
  expect([again.status, again.text]).toEqual([409, expect.stringContaining('Not retried: ')]);
  expect(receiver.received).toHaveLength(3);
  expect(
    await app.sql`select subject_id::int as id, detail->>'success' as success from audit_log where action = 'lead.retry' order by id`,
  ).toEqual([
    { id: lead.id, success: 'false' },
    { id: lead.id, success: 'false' },
    { id: lead.id, success: 'true' },
  ]);
});

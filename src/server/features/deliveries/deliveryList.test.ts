import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  type AdminDelivery,
  deliveryDetail,
  deliveryListOutput,
  queueHealth,
  type QueueHealth,
  retryDeliveriesOutput,
} from '#shared/admin/adminDeliveries.ts';
import { leadChannels } from '#shared/admin/deliveries.ts';
import type { StaffRole } from '#shared/admin/staff.ts';
import { testType } from '#shared/admin/webhooks.ts';
import { deliveries, deliveryAttempts, type DeliveryInsert } from '#server/db/schema/index.ts';
import { crmEnvironment, insertDelivery } from '#test/support/outboxSetup.ts';
import { insertProvider } from '#test/support/factories.ts';
import { insertLead } from '#test/support/leadRows.ts';
import { meets } from '#test/support/meets.ts';
import { signedIn } from '#test/support/staff.ts';
import { type TestApp, testApp } from '#test/support/testApp.ts';
import { insertEndpoint, insertWebhook } from '#test/support/webhookRows.ts';

const now = () => new Date('2026-06-10T12:00:00Z');
const soon = () => new Date(now().getTime() + 1000);
const createdOn = (day: string) => ({ createdAt: new Date(`2026-06-${day}T10:00:00Z`) });

function toResult<Result>(schema: z.ZodType<Result>, answer: { json: () => unknown }): Result {
  return z.object({ result: z.object({ data: schema }) }).parse(answer.json()).result.data;
}

interface StaffCalls {
  list: (filter?: object) => Promise<z.output<typeof deliveryListOutput>>;
  /** The ids of a page. */
  ids: (filter?: object) => Promise<string[]>;
  row: (id: string) => Promise<AdminDelivery | undefined>;
  /** Status and body of a delivery with its attempts. */
  get: (id: string) => Promise<{ status: number; json: () => unknown }>;
  retry: (...ids: string[]) => Promise<string[]>;
  health: () => Promise<QueueHealth>;
}

async function signedInAs(app: TestApp, role: StaffRole): Promise<StaffCalls> {
  const headers = await signedIn(app, role);
  const list: StaffCalls['list'] = async (filter = {}) =>
    toResult(deliveryListOutput, await app.post('/trpc/admin.deliveries.list', filter, headers));
  return {
    list,
    ids: async (filter) => (await list(filter)).deliveries.map(({ id }) => id),
    row: async (id) => (await list()).deliveries.find((one) => one.id === id),
    get: (id) => app.post('/trpc/admin.deliveries.get', { id }, headers),
    retry: async (...ids) =>
      toResult(retryDeliveriesOutput, await app.post('/trpc/admin.deliveries.retry', { ids }, headers))
        .queued,
    health: async () => toResult(queueHealth, await app.get('/trpc/admin.deliveries.queueHealth', headers)),
  };
}

/** One delivery of each channel, oldest first: email to the lead, email to the provider, CRM, two webhooks. */
async function insertEachChannel(app: TestApp) {
  const provider = await insertProvider(app.db, { name: 'Alpine Clinic' });
  const person = { firstName: 'Ada', lastName: 'Ashgrove' };
  const lead = await insertLead(app.db, { ...person, providerId: provider.id });
  const other = await insertLead(app.db);
  const endpointId = await insertEndpoint(app);
  const otherEndpointId = await insertEndpoint(app, { url: 'https://other.example:8443/secret-path' });
  const of = (row: Partial<DeliveryInsert>) => insertDelivery(app, { leadId: lead.id, ...row });
  const event = { type: 'lead.created', leadId: lead.id, providerId: provider.id };
  return {
    ...{ lead, other, provider, endpointId, otherEndpointId },
    leadEmail: await of({ channel: 'lead-email', ...createdOn('01') }),
    providerEmail: await of({ channel: 'provider-email', providerId: provider.id, ...createdOn('02') }),
    crm: await insertDelivery(app, { leadId: other.id, state: 'failed', ...createdOn('03') }),
    webhook: await insertWebhook(app, { endpointId, event, ...createdOn('04') }),
    syncWebhook: await insertWebhook(app, {
      ...{ endpointId: otherEndpointId, event: {}, state: 'delivered', ...createdOn('05') },
    }),
  };
}

/** Nobody listens there. */
const crm = crmEnvironment({ url: 'http://127.0.0.1:9/crm' });

describe('the list of deliveries', () => {
  test('shows all channels newest first, a page at a time, and each filter removes rows', async () => {
    meets('D.deliveries.01');
    await using app = await testApp({ now });
    const at = await insertEachChannel(app);
    const { ids, list } = await signedInAs(app, 'owner');
    expect(await ids()).toEqual([at.syncWebhook, at.webhook, at.crm, at.providerEmail, at.leadEmail]);
    expect(await ids({ limit: 2, page: 2 })).toEqual([at.crm, at.providerEmail]);
    expect(await ids({ state: 'failed' })).toEqual([at.crm]);
    expect(await ids({ channel: 'webhook' })).toEqual([at.syncWebhook, at.webhook]);
    expect(await ids({ endpointId: at.otherEndpointId })).toEqual([at.syncWebhook]);
    expect(await ids({ eventType: 'lead.created' })).toEqual([at.webhook]);
    expect(await ids({ leadId: at.lead.id })).toEqual([at.webhook, at.providerEmail, at.leadEmail]);
    expect(await ids({ createdFrom: '2026-06-02T00:00:00Z', createdBefore: '2026-06-04T00:00:00Z' })).toEqual(
      [at.crm, at.providerEmail],
    );
    expect(await ids({ leadId: at.lead.id, channel: 'lead-email' })).toEqual([at.leadEmail]);
    expect(await ids({ endpointId: at.endpointId, state: 'failed' })).toEqual([]);
    expect(await list({ channel: 'webhook', limit: 1 })).toMatchObject({ total: 2, totalIsLeast: false });
  });

  test('shows lead and provider of an email, and event and endpoint of a webhook', async () => {
    await using app = await testApp({ now });
    const at = await insertEachChannel(app);
    const { row } = await signedInAs(app, 'owner');
    const lead = { id: at.lead.id, name: 'Ada Ashgrove', isDeleted: false };
    const provider = { id: at.provider.id, name: 'Alpine Clinic' };
    const queued = {
      state: 'queued',
      isInProgress: false,
      isRetryable: true,
      attempts: 0,
      nextAttemptAt: now().toISOString(),
      reason: null,
      answerText: null,
      address: null,
      requestedBy: null,
      finishedAt: null,
    };
    expect(await row(at.providerEmail)).toEqual({
      ...queued,
      ...{ id: at.providerEmail, channel: 'provider-email', lead, provider, event: null, endpoint: null },
      address: at.provider.email,
      createdAt: '2026-06-02T10:00:00.000Z',
    });
    const [{ eventId } = {}] = await app.sql<{ eventId: string }[]>`
      select event_id as "eventId" from deliveries where id = ${at.webhook}`;
    expect(await row(at.webhook)).toEqual({
      ...queued,
      ...{ id: at.webhook, channel: 'webhook', lead, provider },
      event: { type: 'lead.created', webhookId: `msg_${eventId}` },
      endpoint: { id: at.endpointId, host: 'integrator.example' },
      createdAt: '2026-06-04T10:00:00.000Z',
    });
    expect(await row(at.syncWebhook)).toMatchObject({
      ...{ lead: null, provider: null, event: { type: 'sync.completed' } },
      endpoint: { host: 'other.example:8443' },
    });
  });

  test('keeps a webhook whose lead was purged and whose endpoint was removed', async () => {
    await using app = await testApp({ now });
    const at = await insertEachChannel(app);
    const { row, ids } = await signedInAs(app, 'owner');
    await app.sql`delete from leads where id = ${at.lead.id}`;
    await app.sql`delete from webhook_endpoints where id = ${at.endpointId}`;
    expect(await row(at.webhook)).toMatchObject({
      lead: { id: at.lead.id, name: null, isDeleted: false },
      endpoint: { id: at.endpointId, host: null },
      isRetryable: false,
    });
    const created = { eventType: 'lead.created' };
    expect(await ids({ leadId: at.lead.id, ...created })).toEqual([at.webhook]);
    expect(await ids({ leadId: at.other.id, ...created })).toEqual([]);
  });

  test('offers no retry of attempts in progress, tests and webhooks that are off', async () => {
    await using app = await testApp({ now, env: crm });
    const lead = await insertLead(app.db);
    const on = await insertEndpoint(app);
    const off = await insertEndpoint(app, { disabledAt: now(), disabledReason: 'staff' });
    const leased = { leasedUntil: soon(), nextAttemptAt: soon() };
    const finished = { state: 'delivered', reason: null } as const;
    const [own, event] = [{ leadId: lead.id }, {}];
    const cases: [name: string, id: string, isRetryable: boolean][] = [
      ['queued', await insertDelivery(app, own), true],
      ['in progress', await insertDelivery(app, { ...own, ...leased }), false],
      ['delivered', await insertDelivery(app, { ...own, ...finished }), false],
      ['cancelled', await insertDelivery(app, { ...own, state: 'cancelled' }), false],
      ['webhook', await insertWebhook(app, { endpointId: on, event, ...finished }), true],
      ['webhook in progress', await insertWebhook(app, { endpointId: on, event, ...leased }), false],
      ['test', await insertWebhook(app, { endpointId: on, event: { type: testType }, ...finished }), false],
      ['endpoint is off', await insertWebhook(app, { endpointId: off, event, state: 'cancelled' }), false],
    ];
    const { list, retry } = await signedInAs(app, 'owner');
    const shown = new Map((await list()).deliveries.map(({ id, isRetryable }) => [id, isRetryable]));
    expect(cases.map(([name, id]) => [name, shown.get(id)])).toEqual(
      cases.map(([name, , isRetryable]) => [name, isRetryable]),
    );
    // The retry itself follows the same rule.
    expect(await retry(...cases.map(([, id]) => id))).toEqual(
      cases.flatMap(([, id, isRetryable]) => (isRetryable ? id : [])).toSorted(),
    );
  });
});

describe('attempts', () => {
  test('of every channel have time, result, reason and response, oldest first', async () => {
    await using app = await testApp({ now });
    const at = await insertEachChannel(app);
    const owner = await signedInAs(app, 'owner');
    const failure = {
      ...{ at: now(), durationMs: 120, outcome: 'failed' as const, status: 'HTTP 503' },
      ...{ reason: 'It returned HTTP 503.', answer: 'Busy' },
    };
    const success = { at: soon(), durationMs: 7, outcome: 'delivered' as const };
    const each = [
      ...leadChannels.map((channel) => ({ channel, leadId: at.lead.id })),
      { channel: 'webhook' as const, leadId: null },
    ];
    const deliveryIds = [at.leadEmail, at.providerEmail, at.crm, at.webhook];
    expect(each).toHaveLength(deliveryIds.length);
    for (const [nth, deliveryId] of deliveryIds.entries()) {
      const common = { deliveryId, channel: 'crm' as const, leadId: at.lead.id, ...each[nth] };
      const address = common.channel === 'provider-email' ? 'earlier@clinic.example' : null;
      await app.db.insert(deliveryAttempts).values([
        { ...common, ...failure, address },
        { ...common, ...success, address },
      ]);
      const answer = await owner.get(deliveryId);
      expect(toResult(deliveryDetail, answer).history).toEqual([
        {
          ...{ at: now().toISOString(), delivered: false, status: 'HTTP 503', duration_ms: 120 },
          ...{ reason: 'It returned HTTP 503.', answer: 'Busy', address },
        },
        {
          ...{ at: soon().toISOString(), delivered: true, status: null, duration_ms: 7 },
          ...{ reason: null, answer: null, address },
        },
      ]);
    }
    expect(toResult(deliveryDetail, await owner.get(at.syncWebhook)).history).toEqual([]);
    expect((await owner.get('00000000-0000-4000-8000-000000000000')).status).toBe(404);
  });
});

describe('webhooks', () => {
  test.each(['viewer', 'manager'] as const)('are not visible to a %s', async (role) => {
    await using app = await testApp({ now });
    const at = await insertEachChannel(app);
    const staff = await signedInAs(app, role);
    expect(await staff.ids()).toEqual([at.crm, at.providerEmail, at.leadEmail]);
    expect((await staff.list()).total).toBe(3);
    for (const filter of [
      { channel: 'webhook' },
      { endpointId: at.endpointId },
      { eventType: 'lead.created' },
    ])
      expect(await staff.list(filter)).toEqual({ deliveries: [], total: 0, totalIsLeast: false });
    expect(await staff.ids({ leadId: at.lead.id })).toEqual([at.providerEmail, at.leadEmail]);
    expect((await staff.get(at.webhook)).status).toBe(404);
    expect((await staff.get(at.crm)).status).toBe(200);
    expect((await staff.health()).queued).toBe(2);
    expect((await (await signedInAs(app, 'owner')).health()).queued).toBe(3);
  });

  test('are replayed by owners only, delivered or not, each with an audit entry', async () => {
    await using app = await testApp({ now });
    const endpointId = await insertEndpoint(app);
    const finished = { endpointId, event: {}, finishedAt: now() };
    const delivered = await insertWebhook(app, { ...finished, state: 'delivered', attempts: 1 });
    const failed = await insertWebhook(app, { ...finished, state: 'failed', attempts: 8, reason: 'Gone.' });
    const rows = () => app.db.select().from(deliveries);
    const before = await rows();
    const manager = await signedInAs(app, 'manager');
    expect(await manager.retry(delivered, failed)).toEqual([]);
    expect(await rows()).toEqual(before);

    const owner = await signedInAs(app, 'owner');
    const queued = [delivered, failed].toSorted();
    expect(await owner.retry(delivered, failed)).toEqual(queued);
    const newRound = { state: 'queued', reason: null, nextAttemptAt: now(), finishedAt: null };
    expect((await rows()).toSorted((a, b) => a.attempts - b.attempts)).toMatchObject([
      { id: delivered, ...newRound, attempts: 1, attemptsBeforeRound: 1 },
      { id: failed, ...newRound, attempts: 8, attemptsBeforeRound: 8 },
    ]);
    const audited = await app.sql`
      select subject_kind, subject_id, detail from audit_log where action = 'endpoint.replay' order by detail`;
    expect([...audited]).toEqual(
      queued.map((delivery) => ({
        ...{ subject_kind: 'endpoint', subject_id: endpointId, detail: { delivery } },
      })),
    );
  });
});

describe('a retry of deliveries', () => {
  test('queues what failed or is held, not what was delivered or cancelled', async () => {
    await using app = await testApp({ now, env: crm });
    const lead = await insertLead(app.db, { crmSyncStatus: 'failed' });
    const of = (state: 'failed' | 'held' | 'delivered' | 'cancelled') =>
      insertDelivery(app, { leadId: lead.id, state, attempts: 3 });
    const closed = [await of('delivered'), await of('cancelled')];
    const open = [await of('failed'), await of('held')].toSorted();
    const { retry } = await signedInAs(app, 'manager');
    expect(await retry(...open, ...closed)).toEqual(open);
    const queued = await app.sql`
      select d.id, d.attempts, d.attempts_before_round, l.crm_sync_status as status
      from deliveries d join leads l on l.id = d.lead_id where d.state = 'queued' order by d.id`;
    expect([...queued]).toEqual(
      open.map((id) => ({ id, attempts: 3, attempts_before_round: 3, status: 'pending' })),
    );
    expect(await app.sql`select 1 from audit_log where action = 'lead.retry'`).toHaveLength(2);
  });

  test('leaves out what would only be held again, and the list does not offer it', async () => {
    await using app = await testApp({ now });
    const lead = await insertLead(app.db);
    const held = await insertDelivery(app, { leadId: lead.id, state: 'held' });
    const email = await insertDelivery(app, { leadId: lead.id, channel: 'lead-email', state: 'failed' });
    const { list, retry } = await signedInAs(app, 'manager');
    const offered = (await list()).deliveries.filter(({ isRetryable }) => isRetryable);
    expect(offered.map(({ id }) => id)).toEqual([email]);
    expect(await retry(held, email)).toEqual([email]);
  });

  test('is refused for viewers, who may look at list, attempts and figures', async () => {
    await using app = await testApp({ now });
    const lead = await insertLead(app.db);
    const id = await insertDelivery(app, { leadId: lead.id, state: 'failed', attempts: 3 });
    const headers = await signedIn(app, 'viewer');
    expect((await app.post('/trpc/admin.deliveries.list', {}, headers)).status).toBe(200);
    expect((await app.post('/trpc/admin.deliveries.get', { id }, headers)).status).toBe(200);
    expect((await app.get('/trpc/admin.deliveries.queueHealth', headers)).status).toBe(200);
    expect((await app.post('/trpc/admin.deliveries.retry', { ids: [id] }, headers)).status).toBe(403);
    expect(await app.db.select().from(deliveries)).toMatchObject([{ state: 'failed', attempts: 3 }]);
  });
});

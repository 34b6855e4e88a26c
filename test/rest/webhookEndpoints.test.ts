import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { deliveryListOutput } from '#shared/admin/adminDeliveries.ts';
import { webhookEndpoint } from '#shared/admin/webhooks.ts';
import { insertProvider } from '#test/support/factories.ts';
import { insertLead } from '#test/support/leadRows.ts';
import { insertDelivery } from '#test/support/outboxSetup.ts';
import { getToken } from '#test/support/staff.ts';
import { testApp, type TestApp } from '#test/support/testApp.ts';
import { insertEndpoint, insertWebhook } from '#test/support/webhookRows.ts';
import { getEndpoint } from './deliveryExamples.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app[Symbol.asyncDispose]());

describe('webhook endpoints by REST', () => {
  test('a change keeps what it leaves out, and is audited with the token', async () => {
    const id = await getEndpoint(app);
    const headers = {
      ...(await getToken(app, ['webhooks:read', 'webhooks:write'])),
      'content-type': 'application/json',
    };
    const path = `/api/webhook-endpoints/${id}`;
    const before = webhookEndpoint.parse((await app.get(path, headers)).json());
    const body = JSON.stringify({ description: 'Archive' });
    const changed = await app.request('PATCH', path, { headers, body });
    expect(changed.json()).toEqual({ ...before, description: 'Archive' });
    const [line] = await app.sql`
      select actor_kind, action, subject_id, detail from audit_log where action = 'endpoint.update'`;
    expect(line).toEqual({
      actor_kind: 'token',
      action: 'endpoint.update',
      subject_id: id,
      detail: { host: 'integrator.example', types: ['lead.created'], payload: 'thin' },
    });
  });

  test('the list never has a secret', async () => {
    const made = await app.post(
      '/api/webhook-endpoints',
      { url: 'https://other.example/hook', description: '', types: [], payload: 'full' },
      await getToken(app, ['webhooks:write']),
    );
    const { secret } = z.object({ secret: z.string().startsWith('whsec_') }).parse(made.json());
    const listed = await app.get('/api/webhook-endpoints', await getToken(app, ['webhooks:read']));
    expect(listed.text).toContain('https://other.example');
    expect(listed.text).not.toContain('/hook');
    const both = await getToken(app, ['webhooks:read', 'webhooks:write']);
    const whole = await app.get('/api/webhook-endpoints', both);
    expect(whole.text).toContain('https://other.example/hook');
    for (const { text } of [listed, whole]) expect(text).not.toContain(secret);
  });

  test.each(['1', 'new', '00000000-0000-0000-0000-00000000000g'])('%s is no endpoint', async (id) => {
    const answer = await app.get(`/api/webhook-endpoints/${id}`, await getToken(app, ['webhooks:read']));
    expect([answer.status, answer.json()]).toMatchObject([404, { error: 'Endpoint not found' }]);
  });
});

describe('deliveries by REST', () => {
  test('a token sees webhooks and names only with the scopes for them', async () => {
    await using own = await testApp();
    const lead = await insertLead(own.db, { providerId: (await insertProvider(own.db)).id });
    await insertDelivery(own, { channel: 'crm', template: 'lead', leadId: lead.id });
    const event = { type: 'lead.created', leadId: lead.id };
    const webhook = await insertWebhook(own, { endpointId: await insertEndpoint(own), event });
    const seen = async (...scopes: Parameters<typeof getToken>[1]) => {
      const headers = await getToken(own, ['deliveries:read', 'deliveries:write', ...scopes]);
      const answer = await own.get(`/api/deliveries?leadId=${lead.id}`, headers);
      const one = await own.get(`/api/deliveries/${webhook}`, headers);
      const retried = await own.post('/api/deliveries/retry', { ids: [webhook] }, headers);
      const { deliveries } = deliveryListOutput.parse(answer.json());
      const rows = deliveries.map(({ channel, lead: about }) => [channel, about?.name ?? null]);
      return [rows.toSorted((a, b) => String(a[0]).localeCompare(String(b[0]))), one.status, retried.json()];
    };
    const name = `${lead.firstName} ${lead.lastName}`;
    expect(await seen()).toEqual([[['crm', null]], 404, { queued: [] }]);
    expect(await seen('leads:read')).toEqual([[['crm', name]], 404, { queued: [] }]);
    expect(await seen('webhooks:read')).toEqual([
      [
        ['crm', null],
        ['webhook', null],
      ],
      200,
      { queued: [] },
    ]);
    expect(await seen('webhooks:write')).toEqual([[['crm', null]], 404, { queued: [webhook] }]);
  });
});

import { randomUUID } from 'node:crypto';
import type { TokenScope } from '#shared/admin/staff.ts';
import { insertProvider } from '#test/support/factories.ts';
import { insertLead } from '#test/support/leadRows.ts';
import { insertDelivery } from '#test/support/outboxSetup.ts';
import { answers, startReceiver } from '#test/support/receiver.ts';
import { getToken } from '#test/support/staff.ts';
import type { Answer, TestApp } from '#test/support/testApp.ts';
import { insertEndpoint } from '#test/support/webhookRows.ts';

type Example = (app: TestApp) => Promise<Answer>;

const newEndpoint = {
  url: 'https://integrator.example/hook',
  description: 'Our CRM',
  types: ['lead.created'],
  payload: 'thin',
};

/** An endpoint that a script added. Returns its id. */
export async function getEndpoint(
  app: TestApp,
  overrides: Partial<typeof newEndpoint> = {},
): Promise<string> {
  const headers = await getToken(app, ['webhooks:write']);
  const answer = await app.post('/api/webhook-endpoints', { ...newEndpoint, ...overrides }, headers);
  return (answer.json() as { endpoint: { id: string } }).endpoint.id;
}

async function getDelivery({ db }: TestApp): Promise<string> {
  const { id: providerId } = await insertProvider(db);
  const { id: leadId } = await insertLead(db, { providerId });
  return insertDelivery(
    { db },
    { channel: 'crm', template: 'lead', leadId, state: 'failed', reason: 'HTTP 400' },
  );
}

interface Row {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  scope: TokenScope;
  /** With `{id}`, of what `existing` makes. */
  path: string;
  existing?: (app: TestApp) => Promise<string>;
  /** Undefined: the row takes no body. */
  body?: object;
}

/** Requests for everything that a row answers: done, nobody, too little scope, unknown, unreadable, database away. */
function listExamples({ method, scope, path, existing, body }: Row, status = 200): Record<number, Example> {
  const json = { 'content-type': 'application/json' };
  const ask = async (
    app: TestApp,
    headers: Record<string, string>,
    text = body && JSON.stringify(body),
    id = '',
  ) =>
    app.request(method, path.replace('{id}', id), {
      headers: text === undefined ? headers : { ...json, ...headers },
      ...(text === undefined ? {} : { body: text }),
    });
  const withToken = (app: TestApp): Promise<Record<string, string>> => getToken(app, [scope]);
  const id = randomUUID();
  const done: Example = async (app) => {
    const own = await existing?.(app);
    const text =
      body && JSON.stringify({ ...body, ...('ids' in body ? { ids: [await getDelivery(app)] } : {}) });
    return ask(app, await withToken(app), text, own);
  };
  return {
    [status]: done,
    ...(status === 201 ? { 429: done } : {}),
    401: (app) => ask(app, {}, undefined, id),
    403: async (app) => ask(app, await getToken(app, ['sync:run']), undefined, id),
    503: async (app) => {
      const headers = await withToken(app);
      await app.services.db.$client.end();
      return ask(app, headers, undefined, id);
    },
    ...(existing === undefined
      ? {}
      : { 404: async (app: TestApp) => ask(app, await withToken(app), undefined, id) }),
    ...(body === undefined
      ? {}
      : {
          400: async (app: TestApp) => ask(app, await withToken(app), '{', id),
          413: async (app: TestApp) => ask(app, await withToken(app), JSON.stringify('x'.repeat(40_000)), id),
          415: async (app: TestApp) =>
            ask(app, { ...(await withToken(app)), 'content-type': 'text/plain' }, 'x', id),
          422: async (app: TestApp) =>
            ask(app, await withToken(app), '{"url":5,"on":5}', await existing?.(app)),
        }),
  };
}

/** An endpoint whose receiver answers, tested. */
async function testing(app: TestApp): Promise<Answer> {
  await using receiver = await startReceiver(answers(200));
  const id = await getEndpoint(app, { url: receiver.url });
  return await app.post(`/api/webhook-endpoints/${id}/test`, {}, await getToken(app, ['webhooks:write']));
}

const reading = { method: 'GET', scope: 'webhooks:read' } as const;
const writing = { method: 'POST', scope: 'webhooks:write', existing: insertEndpoint } as const;
const one = '/api/webhook-endpoints/{id}';

/** For every documented operation of webhook endpoints and deliveries and status, a request that gets it. */
export const deliveryExamples: Record<string, Record<string, Example>> = {
  'get /api/webhook-endpoints': listExamples({ ...reading, path: '/api/webhook-endpoints' }),
  'post /api/webhook-endpoints': listExamples(
    { method: 'POST', scope: 'webhooks:write', path: '/api/webhook-endpoints', body: newEndpoint },
    201,
  ),
  'get /api/webhook-endpoints/{id}': listExamples({ ...reading, path: one, existing: insertEndpoint }),
  'patch /api/webhook-endpoints/{id}': listExamples({
    ...writing,
    method: 'PATCH',
    path: one,
    body: { description: 'Our new CRM' },
  }),
  'delete /api/webhook-endpoints/{id}': listExamples({ ...writing, method: 'DELETE', path: one }),
  'post /api/webhook-endpoints/{id}/switch': listExamples({
    ...writing,
    path: `${one}/switch`,
    body: { on: false },
  }),
  'post /api/webhook-endpoints/{id}/rotate-secret': listExamples({
    ...writing,
    path: `${one}/rotate-secret`,
  }),
  'post /api/webhook-endpoints/{id}/test': {
    ...listExamples({ ...writing, path: `${one}/test` }, 429),
    200: testing,
  },
  'post /api/webhook-endpoints/{id}/replay': listExamples({
    ...writing,
    path: `${one}/replay`,
    body: { since: '2026-06-01T00:00:00Z' },
  }),
  'get /api/deliveries': {
    ...listExamples({ method: 'GET', scope: 'deliveries:read', path: '/api/deliveries' }),
    422: async (app) => app.get('/api/deliveries?state=odd', await getToken(app, ['deliveries:read'])),
  },
  'get /api/deliveries/{id}': listExamples({
    method: 'GET',
    scope: 'deliveries:read',
    path: '/api/deliveries/{id}',
    existing: getDelivery,
  }),
  'post /api/deliveries/retry': listExamples({
    method: 'POST',
    scope: 'deliveries:write',
    path: '/api/deliveries/retry',
    body: { ids: [randomUUID()] },
  }),
};

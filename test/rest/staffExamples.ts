import type { StaffRole, TokenScope } from '#shared/admin/staff.ts';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { formToken } from '#test/support/formToken.ts';
import { insertLead } from '#test/support/leadRows.ts';
import { signedIn, getToken } from '#test/support/staff.ts';
import type { Answer, TestApp } from '#test/support/testApp.ts';

type Example = (app: TestApp) => Promise<Answer>;

const noLead = 999_999;

interface Row {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  scope: TokenScope;
  /** Of the lead that every app of these examples has. */
  path: (leadId: number) => string;
  body?: (app: TestApp) => Promise<object>;
}

/**
 * Requests for what every row for staff answers: done, nobody, too little scope, database away; and for what a row of
 * one lead does.
 */
function staffExamples({ method, scope, path, body }: Row): Record<string, Example> {
  const ask = async (app: TestApp, id: number, headers: Record<string, string>): Promise<Answer> => {
    const sent = body === undefined ? undefined : JSON.stringify(await body(app));
    return app.request(method, path(id), {
      headers: { ...headers, ...(sent === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(sent === undefined ? {} : { body: sent }),
    });
  };
  const isOfOneLead = path(1) !== path(2);
  return {
    200: async (app) => ask(app, (await insertLead(app.db)).id, await getToken(app, [scope])),
    401: (app) => ask(app, 1, {}),
    403: async (app) => ask(app, 1, await getToken(app, ['sync:run'])),
    503: async (app) => {
      const headers = await getToken(app, [scope]);
      await app.services.db.$client.end();
      return ask(app, 1, headers);
    },
    ...(isOfOneLead
      ? { 404: async (app: TestApp) => ask(app, noLead, await getToken(app, [scope])) }
      : { 422: async (app: TestApp) => app.get(`${path(1)}?status=odd`, await getToken(app, [scope])) }),
  };
}

/** A body sent to a row of one lead that takes one. */
function sending(method: 'PATCH' | 'POST', row: string, body: string, type = 'application/json'): Example {
  return async (app) => {
    const headers = { ...(await getToken(app, ['leads:write'])), 'content-type': type };
    return app.request(method, ['/api/leads', noLead, row].filter((part) => part !== '').join('/'), {
      headers,
      body,
    });
  };
}

/** Requests to a row that changes one lead with a body, and whatever is wrong with the body. */
function writingExamples(method: 'PATCH' | 'POST', row: string, body: object): Record<string, Example> {
  const path = (id: number): string => `/api/leads/${id}/${row}`;
  return {
    ...staffExamples({ method, scope: 'leads:write', path, body: () => Promise.resolve(body) }),
    400: sending(method, row, '{'),
    413: sending(method, row, JSON.stringify({ ...body, ignored: 'x'.repeat(40_000) })),
    415: sending(method, row, 'x', 'text/plain'),
    422: sending(method, row, '{}'),
  };
}

async function personFile(app: TestApp, leadId: number, role: StaffRole, query = ''): Promise<Answer> {
  return app.get(`/api/persons/${leadId}.json${query}`, await signedIn(app, role));
}

const write = 'leads:write';

/** Corrects a lead of somebody who asked not to be contacted. */
async function correctingSuppressed(app: TestApp): Promise<Answer> {
  const { id } = await insertLead(app.db);
  const headers = { ...(await getToken(app, [write])), 'content-type': 'application/json' };
  await app.post('/trpc/admin.suppressions.add', { id }, headers);
  return app.request('PATCH', `/api/leads/${id}`, { headers, body: '{"zip_code":"80205"}' });
}

/** A request by an owner to lift the suppression of a lead's phone. */
async function lifting(app: TestApp, leadId: number, role: StaffRole = 'owner'): Promise<Answer> {
  const body = { kind: 'phone', reason: 'It was somebody else.' };
  return app.post(`/api/leads/${leadId}/lift-suppression`, body, await signedIn(app, role));
}

/** The same with a body of one's own. */
async function liftingWith(app: TestApp, body: string): Promise<Answer> {
  const headers = { ...(await signedIn(app, 'owner')), 'content-type': 'application/json' };
  return app.request('POST', `/api/leads/${noLead}/lift-suppression`, { headers, body });
}

/** A request to decide a task; 0: the one that is made for it. */
async function deciding(app: TestApp, { id = 0, isDone = false, body = '' } = {}): Promise<Answer> {
  const { id: leadId } = await insertLead(app.db);
  const doneAt = isDone ? new Date().toISOString() : null;
  const [task] = await app.sql<{ id: number }[]>`
    insert into staff_tasks (kind, lead_id, done_at, done_by)
    values ('phone-withdrawn', ${leadId}, ${doneAt}, ${isDone ? 'Robin Staff' : null}) returning id::int`;
  const path = `/api/tasks/${id === 0 ? task?.id : id}/complete`;
  return app.post(path, body === '' ? { decision: 'keep-serving' } : body, await getToken(app, [write]));
}

/** A lead of one provider's own form, assigned to another provider. */
async function assigningToOther(app: TestApp): Promise<Answer> {
  const named = await insertProvider(app.db);
  const other = await insertProvider(app.db);
  await app.knows(named);
  const input = leadInput({ form: 'microsite', token: formToken('microsite') });
  const lead = (await app.as(named).post('/api/leads', input)).json() as { id: number };
  return app.request('PATCH', `/api/leads/${lead.id}/provider`, {
    headers: { ...(await getToken(app, [write])), 'content-type': 'application/json' },
    body: JSON.stringify({ providerId: other.id }),
  });
}

/**
 * For every operation of the dashboard, a request for each documented status except 429, which openapi.test.ts derives
 * from the request for 200.
 */
export const adminExamples: Record<string, Record<string, Example>> = {
  'get /api/leads': staffExamples({ method: 'GET', scope: 'leads:read', path: () => '/api/leads' }),
  'get /api/leads.csv': staffExamples({ method: 'GET', scope: 'leads:read', path: () => '/api/leads.csv' }),
  'get /api/providers.csv': staffExamples({
    method: 'GET',
    scope: 'providers:read',
    path: () => '/api/providers.csv',
  }),
  'get /api/insights.csv': {
    ...staffExamples({
      method: 'GET',
      scope: 'leads:read',
      path: () => '/api/insights.csv?figure=leads&from=2026-06-01&to=2026-06-30',
    }),
    422: async (app) => app.get('/api/insights.csv?figure=odd', await getToken(app, ['leads:read'])),
  },
  'get /api/persons/{id}.json': {
    200: async (app) => personFile(app, (await insertLead(app.db)).id, 'owner'),
    401: (app) => app.get('/api/persons/1.json'),
    403: (app) => personFile(app, 1, 'manager'),
    404: (app) => personFile(app, noLead, 'owner'),
    409: async (app) => {
      const { id } = await insertLead(app.db, { deletedAt: new Date(), erasedAt: new Date() });
      return personFile(app, id, 'owner');
    },
    422: async (app) => personFile(app, (await insertLead(app.db)).id, 'owner', '?samePhone=odd'),
    503: async (app) => {
      const headers = await signedIn(app, 'owner');
      await app.services.db.$client.end();
      return app.get('/api/persons/1.json', headers);
    },
  },
  'get /api/leads/{id}': staffExamples({
    method: 'GET',
    scope: 'leads:read',
    path: (id) => `/api/leads/${id}`,
  }),
  'post /api/leads/{id}/restore': {
    ...staffExamples({ method: 'POST', scope: write, path: (id) => `/api/leads/${id}/restore` }),
    200: async (app) => {
      const { id } = await insertLead(app.db, { deletedAt: new Date() });
      return app.request('POST', `/api/leads/${id}/restore`, { headers: await getToken(app, [write]) });
    },
  },
  'get /api/sync-runs': {
    200: async (app) => app.get('/api/sync-runs', await getToken(app, ['providers:read'])),
    401: (app) => app.get('/api/sync-runs'),
    403: async (app) => app.get('/api/sync-runs', await getToken(app, ['leads:read'])),
    503: async (app) => {
      const headers = await getToken(app, ['providers:read']);
      await app.services.db.$client.end();
      return app.get('/api/sync-runs', headers);
    },
  },
  'get /api/sync-runs/{id}': {
    ...staffExamples({ method: 'GET', scope: 'providers:read', path: (id) => `/api/sync-runs/${id}` }),
    200: async (app) => {
      const row = { wordpress_id: 5, name: 'Dr. Sample', email: 'a@clinic.example', zip_code: '80202' };
      await app.post('/api/providers/sync', [row], await getToken(app, ['providers:write']));
      const [run] = await app.sql<{ id: number }[]>`select id::int from sync_runs`;
      return app.get(`/api/sync-runs/${run?.id}`, await getToken(app, ['providers:read']));
    },
  },
  'delete /api/leads/{id}': staffExamples({
    method: 'DELETE',
    scope: write,
    path: (id) => `/api/leads/${id}`,
  }),
  'get /api/leads/{id}/outcome': staffExamples({
    method: 'GET',
    scope: 'leads:read',
    path: (id) => `/api/leads/${id}/outcome`,
  }),
  'post /api/leads/{id}/outcome': {
    ...staffExamples({
      method: 'POST',
      scope: write,
      path: (id) => `/api/leads/${id}/outcome`,
      body: async () => ({ outcome: 'booked' }),
    }),
    200: async (app) => {
      const { id } = await insertLead(app.db, { providerId: (await insertProvider(app.db)).id });
      return app.post(`/api/leads/${id}/outcome`, { outcome: 'booked' }, await getToken(app, [write]));
    },
    400: sending('POST', 'outcome', '{'),
    413: sending('POST', 'outcome', JSON.stringify({ outcome: 'booked', ignored: 'x'.repeat(40_000) })),
    415: sending('POST', 'outcome', 'x', 'text/plain'),
    422: sending('POST', 'outcome', '{}'),
  },
  'post /api/leads/{id}/lift-suppression': {
    200: async (app) => {
      const { id } = await insertLead(app.db);
      await app.post('/trpc/admin.suppressions.add', { id }, await getToken(app, [write]));
      return lifting(app, id);
    },
    400: (app) => liftingWith(app, '{'),
    401: (app) => app.post('/api/leads/1/lift-suppression', {}),
    403: (app) => lifting(app, 1, 'manager'),
    404: async (app) => lifting(app, (await insertLead(app.db)).id),
    413: (app) => liftingWith(app, JSON.stringify({ ignored: 'x'.repeat(40_000) })),
    422: (app) => liftingWith(app, '{"kind":"phone","reason":"x"}'),
    503: async (app) => {
      const headers = await signedIn(app, 'owner');
      await app.services.db.$client.end();
      return app.post('/api/leads/1/lift-suppression', {}, headers);
    },
  },
  'get /api/tasks': {
    200: async (app) => app.get('/api/tasks', await getToken(app, ['leads:read'])),
    401: (app) => app.get('/api/tasks'),
    403: async (app) => app.get('/api/tasks', await getToken(app, ['sync:run'])),
    422: async (app) => app.get('/api/tasks?cursor=x', await getToken(app, ['leads:read'])),
    503: async (app) => {
      const headers = await getToken(app, ['leads:read']);
      await app.services.db.$client.end();
      return app.get('/api/tasks', headers);
    },
  },
  'post /api/tasks/{id}/complete': {
    200: (app) => deciding(app),
    400: (app) => deciding(app, { body: '{' }),
    401: (app) => app.post('/api/tasks/1/complete', {}),
    403: async (app) => app.post('/api/tasks/1/complete', {}, await getToken(app, ['leads:read'])),
    404: (app) => deciding(app, { id: noLead }),
    409: (app) => deciding(app, { isDone: true }),
    413: (app) => deciding(app, { body: JSON.stringify({ ignored: 'x'.repeat(40_000) }) }),
    415: async (app) =>
      app.post('/api/tasks/1/complete', 'x', {
        ...(await getToken(app, [write])),
        'content-type': 'text/plain',
      }),
    422: (app) => deciding(app, { body: '{"decision":"perhaps"}' }),
    503: async (app) => {
      const headers = await getToken(app, [write]);
      await app.services.db.$client.end();
      return app.post('/api/tasks/1/complete', {}, headers);
    },
  },
  'post /api/unreachable-providers/{id}/send-again': {
    ...staffExamples({
      method: 'POST',
      scope: 'deliveries:write',
      path: (id) => `/api/unreachable-providers/${id}/send-again`,
    }),
    200: async (app) => {
      const { id } = await insertProvider(app.db);
      const headers = await getToken(app, ['deliveries:write']);
      return app.request('POST', `/api/unreachable-providers/${id}/send-again`, { headers });
    },
  },
  'post /api/leads/{id}/retry-sync': staffExamples({
    method: 'POST',
    scope: write,
    path: (id) => `/api/leads/${id}/retry-sync`,
  }),
  'post /api/leads/{id}/retry-email': staffExamples({
    method: 'POST',
    scope: write,
    path: (id) => `/api/leads/${id}/retry-email`,
  }),
  'patch /api/leads/{id}': {
    ...staffExamples({
      method: 'PATCH',
      scope: write,
      path: (id) => `/api/leads/${id}`,
      body: () => Promise.resolve({ zip_code: '80205' }),
    }),
    400: sending('PATCH', '', '{'),
    409: correctingSuppressed,
    413: sending('PATCH', '', JSON.stringify({ zip_code: '80205', ignored: 'x'.repeat(40_000) })),
    415: sending('PATCH', '', 'zip_code=80205', 'text/plain'),
    422: sending('PATCH', '', '{"zip_code":"8020"}'),
  },
  'delete /api/leads/{id}/provider': {
    ...staffExamples({ method: 'DELETE', scope: write, path: (id) => `/api/leads/${id}/provider` }),
    200: async (app) => {
      const { id: providerId } = await insertProvider(app.db);
      const { id } = await insertLead(app.db, { providerId });
      return app.request('DELETE', `/api/leads/${id}/provider`, { headers: await getToken(app, [write]) });
    },
  },
  'get /api/suppressions': {
    200: async (app) => app.get('/api/suppressions', await signedIn(app, 'manager')),
    401: (app) => app.get('/api/suppressions'),
    403: async (app) => app.get('/api/suppressions', await signedIn(app, 'viewer')),
    422: async (app) => app.get('/api/suppressions?page=odd', await signedIn(app, 'manager')),
    503: async (app) => {
      const headers = await signedIn(app, 'manager');
      await app.services.db.$client.end();
      return app.get('/api/suppressions', headers);
    },
  },
  'patch /api/leads/{id}/provider': {
    ...staffExamples({
      method: 'PATCH',
      scope: write,
      path: (id) => `/api/leads/${id}/provider`,
      body: async ({ db }) => ({ providerId: (await insertProvider(db)).id }),
    }),
    400: sending('PATCH', 'provider', '{'),
    409: assigningToOther,
    413: sending('PATCH', 'provider', JSON.stringify({ providerId: 1, ignored: 'x'.repeat(40_000) })),
    415: sending('PATCH', 'provider', 'x', 'text/plain'),
    422: sending('PATCH', 'provider', '{}'),
  },
  'post /api/leads/{id}/notes': writingExamples('POST', 'notes', { text: 'A note.' }),
  'patch /api/leads/{id}/follow-up': writingExamples('PATCH', 'follow-up', { followUpOn: '2026-12-01' }),
};

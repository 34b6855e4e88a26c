import { fetchTokens } from '#test/support/reachCeiling.ts';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { gunzipSync } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { signWithdrawal } from '#server/features/mail/linkTokens.ts';
import { signWebhook } from '#server/features/outbox/httpResult.ts';
import { restRoutes } from '#server/rest/routes.ts';
import { applicationCreateInput } from '#shared/applications/applications.ts';
import { honeypotName } from '#shared/leads/quarantine.ts';
import { leadCreateInput } from '#shared/submissions/leadInput.ts';
import { applicationInput } from '#test/support/applicationInput.ts';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { insertAgreed } from '#test/support/leadRows.ts';
import { meets } from '#test/support/meets.ts';
import { getToken } from '#test/support/staff.ts';
import { type Answer, testApp, type TestApp } from '#test/support/testApp.ts';
import { areaExamples } from './areaExamples.ts';
import { deliveryExamples } from './deliveryExamples.ts';
import { adminExamples } from './staffExamples.ts';

const response = z.object({
  description: z.string(),
  content: z.record(z.string(), z.object({ schema: z.unknown() })).optional(),
});
const operation = z.object({
  operationId: z.string(),
  summary: z.string().min(10),
  responses: z.record(z.string(), response),
  description: z.string().min(20),
  tags: z.array(z.string()).length(1),
  security: z.array(z.record(z.string(), z.array(z.string()))).optional(),
  'x-required-scope': z.string().optional(),
});
const documentSchema = z.object({
  openapi: z.literal('3.1.0'),
  info: z.object({ title: z.string(), version: z.string() }),
  paths: z.record(z.string(), z.record(z.string(), operation)),
});

/** Makes one request that should be answered so. */
type Example = (app: TestApp) => Promise<Answer>;

const form = { 'content-type': 'application/x-www-form-urlencoded' };
const plainForm = {
  first_name: 'Kit',
  last_name: 'Elmsworth',
  email: 'kit@example.com',
  phone: '3035550100',
  zip_code: '80202',
  acceptance_consent: 'on',
};
const problem = { what: 'Nobody called.' };
const applications = '/api/provider-applications';
const applicationFields = Object.entries(applicationInput()).map(([name, value]) => [name, String(value)]);
const plainApplication: Record<string, string> = Object.fromEntries(applicationFields);
const clinic = { name: 'One', email: 'one@example.com', zip_code: '80202' };
const clinics = (own: object = {}) => [1, 2].map((id) => ({ ...clinic, ...own, wordpress_id: id }));
const oversized = JSON.stringify({ ...leadInput(), ignored: 'x'.repeat(40_000) });

async function pushed(app: TestApp, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  return app.post('/api/providers/sync', body, { ...(await getToken(app, ['providers:write'])), ...headers });
}

async function withoutDatabase(app: TestApp, ask: Example): Promise<Answer> {
  await app.services.db.$client.end();
  return ask(app);
}

/** Posts signed mail to an app that receives mail. */
async function inbound(
  { database }: TestApp,
  body: string,
  headers: Record<string, string> = {},
  prepare: (app: TestApp) => Promise<unknown> = () => Promise.resolve(),
): Promise<Answer> {
  const secret = `whsec_${'A'.repeat(44)}`;
  const env = { INBOUND_MAIL_ADDRESS: 'stop@reply.example', INBOUND_MAIL_SECRET: secret };
  await using app = await testApp({ env, database });
  await prepare(app);
  const signed = signWebhook({ id: 'msg_1', body, secrets: [secret], now: new Date() });
  return await app.post('/api/mail/inbound', body, {
    ...signed,
    'content-type': 'application/json',
    ...headers,
  });
}

async function unmodified(app: TestApp, path: string): Promise<Answer> {
  const { headers } = await app.get(path);
  return app.get(path, { 'if-none-match': headers.etag ?? '' });
}

async function afterTheLimit(ask: () => Promise<Answer>): Promise<Answer> {
  await ask();
  return ask();
}

async function getProvider(app: TestApp): Promise<{ id: number; domain: string }> {
  const { id, domain } = await insertProvider(app.db);
  return { id, domain: domain ?? '' };
}

/** A limit for the one that needs it, an app of its own for each that loses its database. */
async function getAnswer(first: TestApp, status: string, example: Example): Promise<Answer> {
  if (status !== '429' && status !== '503') return example(first);
  const limits = status === '429' ? { env: { RATE_LIMIT_LEADS: '1/1m' }, staffRequestsPerMinute: 0 } : {};
  await using app = await testApp({ ...limits, database: first.database });
  return await example(app);
}

/** For every documented operation and status, a request that gets it. */
/** Of an operation that takes what visitors type, as JSON and as a plain form. */
function answerSubmissions(
  path: string,
  body: () => object,
  plain: Record<string, string>,
): Record<string, Example> {
  const send: Example = (app) => app.post(path, body());
  return {
    201: send,
    303: (app) => app.post(path, new URLSearchParams(plain).toString(), form),
    400: (app) => app.post(path, '{'),
    413: (app) => app.post(path, oversized),
    415: (app) => app.post(path, 'x', { 'content-type': 'text/plain' }),
    422: (app) => app.post(path, {}),
    429: (app) => afterTheLimit(() => send(app)),
    503: (app) => withoutDatabase(app, send),
  };
}

const examples: Record<string, Record<string, Example>> = {
  ...adminExamples,
  ...deliveryExamples,
  'post /api/leads': {
    ...answerSubmissions('/api/leads', leadInput, plainForm),
    201: async (app) => {
      await getProvider(app);
      return app.post('/api/leads', leadInput());
    },
    401: (app) => app.post('/api/leads', leadInput(), { authorization: 'Bearer mpx_unknown' }),
  },
  'get /api/leads/token': {
    200: (app) => app.get('/api/leads/token?form=landing'),
    422: (app) => app.get('/api/leads/token?form=other'),
    429: (app) => fetchTokens(app).then(() => app.get('/api/leads/token?form=landing')),
  },
  'post /api/mail/inbound': {
    200: (app) => inbound(app, '{"to":"stop@reply.example","from":"kit@example.com"}'),
    400: (app) => inbound(app, '{'),
    401: (app) => inbound(app, '{}', { 'webhook-signature': 'v1,x' }),
    404: (app) => app.post('/api/mail/inbound', {}),
    413: (app) => inbound(app, JSON.stringify('x'.repeat(600_000))),
    422: (app) => inbound(app, '{}'),
    503: async (app) => {
      const { email: from } = await insertAgreed(app.db);
      const reply = JSON.stringify({ to: 'stop@reply.example', from, text: 'STOP' });
      return inbound(app, reply, {}, (own) => own.services.db.$client.end());
    },
  },
  'post /api/unsubscribe': {
    200: async (app) => {
      const { publicId } = await insertAgreed(app.db);
      const token = signWithdrawal(app.services.config.secretKeys, publicId);
      return app.post(`/api/unsubscribe?token=${token}`, '', form);
    },
    404: (app) => app.post('/api/unsubscribe?token=made-up', '', form),
    422: (app) => app.post('/api/unsubscribe', '', form),
    429: async (app) => {
      const { publicId } = await insertAgreed(app.db);
      const token = signWithdrawal(app.services.config.secretKeys, publicId);
      const ask = () => app.post(`/api/unsubscribe?token=${token}`, '', form);
      await ask();
      await app.sql`update rate_limits set points = 600 where key like 'lead-one-click-60:%'`;
      return ask();
    },
    503: async (app) => {
      const { publicId } = await insertAgreed(app.db);
      const token = signWithdrawal(app.services.config.secretKeys, publicId);
      return withoutDatabase(app, () => app.post(`/api/unsubscribe?token=${token}`, '', form));
    },
  },
  'post /api/areas': areaExamples,
  'post /api/problem-reports': answerSubmissions('/api/problem-reports', () => problem, problem),
  'post /api/provider-applications': answerSubmissions(applications, applicationInput, plainApplication),
  'get /api/providers': {
    200: async (app) => {
      await getProvider(app);
      return app.get('/api/providers');
    },
    304: (app) => unmodified(app, '/api/providers'),
    401: (app) => app.get('/api/providers?status=all', { authorization: 'Bearer mpx_unknown' }),
    429: async (app) => app.get('/api/providers?status=all', await getToken(app, ['providers:read'])),
    422: (app) => app.get('/api/providers?status=other'),
    503: (app) => withoutDatabase(app, () => app.get('/api/providers')),
  },
  'get /api/providers/{id}': {
    200: async (app) => app.get(`/api/providers/${(await getProvider(app)).id}`),
    304: async (app) => unmodified(app, `/api/providers/${(await getProvider(app)).id}`),
    401: (app) => app.get('/api/providers/1', { authorization: 'Bearer mpx_unknown' }),
    429: async (app) => app.get('/api/providers/1', await getToken(app, ['providers:read'])),
    404: (app) => app.get('/api/providers/999999'),
    503: (app) => withoutDatabase(app, () => app.get('/api/providers/1')),
  },
  'get /api/providers/domain/{hostname}': {
    200: async (app) => app.get(`/api/providers/domain/${(await getProvider(app)).domain}`),
    304: async (app) => unmodified(app, `/api/providers/domain/${(await getProvider(app)).domain}`),
    404: (app) => app.get('/api/providers/domain/unknown.example'),
    422: (app) => app.get(`/api/providers/domain/${'x'.repeat(254)}`),
    503: (app) => withoutDatabase(app, () => app.get('/api/providers/domain/some.example')),
  },
  'post /api/providers/sync': {
    200: (app) => pushed(app, clinics()),
    400: (app) => pushed(app, '{'),
    401: (app) => app.post('/api/providers/sync', []),
    403: async (app) => app.post('/api/providers/sync', [], await getToken(app, ['sync:run'])),
    409: (app) => pushed(app, clinics()).then(() => pushed(app, clinics({ status: 'closed' }))),
    413: (app) => pushed(app, [{ filler: 'x'.repeat(9 * 1024 * 1024) }]),
    415: (app) => pushed(app, 'x', { 'content-type': 'text/plain' }),
    422: (app) => pushed(app, []),
    503: async (app) => {
      const headers = await getToken(app, ['providers:write']);
      return withoutDatabase(app, () => app.post('/api/providers/sync', [{}], headers));
    },
  },
  'post /api/sync': {
    200: async (app) => app.post('/api/sync', {}, await getToken(app, ['sync:run'])),
    400: async (app) => app.post('/api/sync', '{', await getToken(app, ['sync:run'])),
    413: async (app) => app.post('/api/sync', oversized, await getToken(app, ['sync:run'])),
    415: async (app) =>
      app.post('/api/sync', 'x', { ...(await getToken(app, ['sync:run'])), 'content-type': 'text/plain' }),
    422: async (app) => app.post('/api/sync', { kind: 'half' }, await getToken(app, ['sync:run'])),
    401: (app) => app.post('/api/sync', {}),
    403: async (app) => app.post('/api/sync', {}, await getToken(app, ['leads:read'])),
    503: async (app) => {
      const headers = await getToken(app, ['sync:run']);
      return withoutDatabase(app, () => app.post('/api/sync', {}, headers));
    },
  },
  'get /api/domains/verify': {
    200: async (app) => {
      const { domain } = await getProvider(app);
      await app.knows(domain);
      return app.get(`/api/domains/verify?domain=${domain}`);
    },
    404: (app) => app.get('/api/domains/verify?domain=unknown.example'),
  },
};

/** For a session or token above its limit, any request that would be done gets 429. */
function listExamples(name: string, statuses: readonly string[]): Record<string, Example> {
  const { 200: done, ...others } = examples[name] ?? {};
  return {
    ...(statuses.includes('429') && done !== undefined ? { 429: done } : {}),
    ...(done === undefined ? {} : { 200: done }),
    ...others,
  };
}

test('every documented status occurs, with the documented shape', async () => {
  meets('D.people.16');
  await using first = await testApp();
  const answer = await first.get('/api/openapi.json');
  expect(answer.status).toBe(200);
  const raw = answer.json();
  const document = documentSchema.parse(raw);
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(raw as object, 'openapi');

  const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { responses }]) => [`${method} ${path}`, responses] as const),
  );
  expect(documented.map(([name]) => name).toSorted()).toEqual(Object.keys(examples).toSorted());
  for (const [name, responses] of documented) {
    const given = listExamples(name, Object.keys(responses));
    expect([name, Object.keys(responses).toSorted()]).toEqual([name, Object.keys(given).toSorted()]);
    const [method = '', path = ''] = name.split(' ');
    for (const [status, { content = {} }] of Object.entries(responses)) {
      const example = given[status];
      if (example === undefined) throw new Error(`no example for ${name} ${status}`);
      const real = await getAnswer(first, status, example);
      expect([name, real.status]).toEqual([name, Number(status)]);
      const [type] = Object.keys(content);
      expect([name, real.headers['content-type']?.split(';')[0]]).toEqual([name, type]);
      if (type === undefined) continue;
      const pointer = ['paths', path, method, 'responses', status, 'content', type, 'schema'].map((part) =>
        encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')),
      );
      const validate = ajv.getSchema(`openapi#/${pointer.join('/')}`);
      if (validate === undefined) throw new Error(`no schema for ${name} ${status}`);
      const fits = validate(type === 'text/csv' ? real.text : real.json());
      expect({ name, status, errors: fits === true ? [] : validate.errors }).toEqual({
        name,
        status,
        errors: [],
      });
    }
  }
});

test.each([
  ['a lead', leadCreateInput, honeypotName],
  ['an application', applicationCreateInput, honeypotName],
])('every field of %s has a description', (_, schema, honeypot) => {
  const described = z.object({ description: z.string().min(5) });
  const { properties } = z
    .object({ properties: z.record(z.string(), described) })
    .parse(z.toJSONSchema(schema, { io: 'input' }));
  expect(Object.keys(properties)).toEqual(Object.keys(schema.shape));
  expect(properties[honeypot]?.description).toMatch(/^Omit it/);
});

test('every row is documented, a staff row with its scope', async () => {
  meets('D.people.16');
  await using app = await testApp();
  const { paths } = documentSchema.parse((await app.get('/api/openapi.json')).json());
  for (const { access, optionalScope, method, path } of restRoutes) {
    const session = method === 'GET' ? [{ session: [] }] : [];
    const optional = optionalScope === undefined ? undefined : [{}, { token: [] }, ...session];
    const scope = typeof access === 'string' ? optionalScope : (access.scope ?? undefined);
    const token = scope === undefined ? [] : [{ token: [] }];
    const forStaff = typeof access === 'string' || access.role === null ? [] : [{ session: [] }];
    const security = typeof access === 'string' ? optional : [...token, ...forStaff];
    const there = paths[path]?.[method.toLowerCase()];
    expect([method, path, there?.security, there?.['x-required-scope']]).toEqual([
      method,
      path,
      security,
      scope,
    ]);
    expect(there).toBeDefined();
  }
});

test('the document is serialized once and sent compressed', async () => {
  await using app = await testApp();
  const stringify = vi.spyOn(JSON, 'stringify');
  using _ = { [Symbol.dispose]: () => stringify.mockRestore() };
  const answers = await Promise.all(Array.from({ length: 50 }, () => app.get('/api/openapi.json')));
  const documents = stringify.mock.calls.filter(([value]) => documentSchema.safeParse(value).success);
  expect(documents).toHaveLength(1);
  expect(new Set(answers.map(({ status, headers }) => `${status} ${headers.etag}`)).size).toBe(1);
  const zipped = await app.get('/api/openapi.json', { 'accept-encoding': 'gzip' });
  expect(zipped.headers['content-encoding']).toBe('gzip');
  expect(gunzipSync(zipped.body).toString()).toBe(answers[0]?.text);
  const again = await app.get('/api/openapi.json', { 'if-none-match': answers[0]?.headers.etag ?? '' });
  expect(again.status).toBe(304);
});

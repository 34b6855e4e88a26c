import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { restRoutes } from '#server/rest/routes.ts';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { meets } from '#test/support/meets.ts';
import { everyProcedure } from '#test/support/procedures.ts';
import { testApp } from '#test/support/testApp.ts';

/**
 * What anyone may call, on any host but for those of `admin`. Everything else must name the role it needs
 * (procedures.ts), or this fails: decide a new procedure's access first, then write it down.
 * test/adminIsolation.test.ts tries all that isn't listed here.
 */
const publicProcedures = [
  'admin.session.requestLink',
  'admin.session.signIn',
  'admin.signInStep.enterCode',
  'admin.signInStep.finish',
  'admin.signInStep.start',
  'applications.area',
  'applications.create',
  'applications.formToken',
  'leads.called',
  'leads.create',
  'leads.formToken',
  'leads.withdraw',
  'leads.zipEntered',
  'matching.preview',
  'places.locateZip',
  'problems.create',
  'providers.byDomain',
  'providers.get',
  'providers.inView',
  'providers.list',
  'suppressions.unsubscribe',
];

const frozenNames = z.object({ restOperations: z.array(z.string()).min(1) });

const publicRows = [
  'GET /api/leads/token',
  'GET /api/providers',
  'GET /api/providers/domain/{hostname}',
  'GET /api/providers/{id}',
  'POST /api/areas',
  'POST /api/leads',
  'POST /api/problem-reports',
  'POST /api/provider-applications',
  'POST /api/unsubscribe',
];

test('every procedure is on the public list or says which role it needs', () => {
  meets('D.admin.21');
  const open = everyProcedure.filter(({ access }) => access === null).map(({ path }) => path);
  expect(open.toSorted()).toEqual(publicProcedures);
});

test('every REST row is on the public list or says which role and scope it needs', () => {
  meets('D.admin.21');
  const open = restRoutes.filter(({ access }) => access === 'public');
  expect(open.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(publicRows);
});

test('every frozen REST operation and every procedure with REST metadata is mounted', async () => {
  meets('D.conformity.03');
  const { restOperations } = frozenNames.parse(JSON.parse(await readFile('test/golden/names.json', 'utf8')));
  const declared = everyProcedure.flatMap(({ rest }) =>
    rest === null ? [] : [`${rest.method} ${rest.path}`],
  );
  expect(declared.length).toBeGreaterThan(15);
  expect(restOperations).toEqual(expect.arrayContaining(declared));
  await using app = await testApp();
  for (const operation of restOperations) {
    const [method = '', path = ''] = operation.split(' ');
    // No operation is a PUT: the refusal lists the methods that are mounted.
    const { headers } = await app.request('PUT', path.replaceAll(/\{\w+\}/g, '1'));
    expect([operation, (headers.allow ?? '').split(', ').includes(method)]).toEqual([operation, true]);
  }
});

test('staff rows respond with 401 on the main site and 404 on other hosts', async () => {
  meets('D.hosts.23 D.errors.07');
  await using app = await testApp();
  const provider = await insertProvider(app.db, { zipCode: '80202' });
  const lead = (await app.post('/api/leads', leadInput({ zip_code: '80202' }))).json() as { id: number };
  await app.knows(provider);
  for (const { access, method, path } of restRoutes) {
    if (access === 'public') continue;
    const asked = path.replace('{id}', String(lead.id));
    for (const headers of [
      {},
      { authorization: 'Bearer mpx_made_up' },
      { cookie: 'session=made-up; auth=true' },
    ]) {
      const main = await app.request(method, asked, { headers });
      expect([method, asked, main.status, main.headers['www-authenticate']]).toEqual([
        method,
        asked,
        401,
        'Bearer',
      ]);
      for (const host of [provider, 'unknown.example']) {
        expect((await app.as(host).request(method, asked, { headers })).status).toBe(404);
      }
    }
    // Nor does the answer to another method tell that there is something for staff.
    for (const host of [provider, 'unknown.example']) {
      const other = await app.as(host).request('PUT', asked);
      // For some paths there is something for anyone.
      const open = new Map([
        ['/api/leads', 'POST'],
        ['/api/providers/sync', 'GET, HEAD'],
      ]).get(path);
      const expected = open === undefined ? [404, undefined] : [405, open];
      expect([asked, other.status, other.headers.allow]).toEqual([asked, ...expected]);
    }
  }
  const [kept] = await app.sql`select deleted_at, provider_id from leads where id = ${lead.id}`;
  expect(kept).toMatchObject({ deleted_at: null, provider_id: String(provider.id) });
});

test('no public response shows leads of another provider', async () => {
  await using app = await testApp();
  const [one, two] = [await insertProvider(app.db), await insertProvider(app.db)];
  await Promise.all([one, two].map(app.knows));
  const input = leadInput();
  const stored = (await app.as(one).post('/api/leads', input)).json();
  expect(stored).toMatchObject({ providerId: one.id });
  for (const path of [
    '/api/providers',
    `/api/providers/${one.id}`,
    '/',
    '/success',
    `/success?providerId=${one.id}`,
  ]) {
    const { text } = await app.as(two).get(path);
    expect(text).not.toContain(input.email);
    expect(text).not.toContain(input.last_name);
  }
  // The same key on another clinic's host is another key: it never replays a stranger's answer.
  const key = { 'idempotency-key': 'same-key' };
  const first = (await app.as(one).post('/api/leads', leadInput(), key)).json();
  const second = (await app.as(two).post('/api/leads', leadInput(), key)).json();
  expect([first, second]).toMatchObject([{ providerId: one.id }, { providerId: two.id }]);
});

import { expect, test } from 'vitest';
import { z } from 'zod';
import { restRoutes } from '#server/rest/routes.ts';
import { appRouter } from '#server/trpc/root.ts';
import { insertClinic, leadInput } from '#test/support/factories.ts';
import { testApp } from '#test/support/testApp.ts';

/**
 * Who may call what. A new procedure or REST row that isn't listed here fails: decide its access first, then write it down.
 * `public`: anyone, on any host. `staff`: refused without a session or token, and not even there on other hosts than the main one.
 */
type Access = 'public' | 'staff';

const procedures: Record<string, Access> = {
  'applications.create': 'public',
  'applications.formToken': 'public',
  'leads.create': 'public',
  'leads.formToken': 'public',
  'matching.preview': 'public',
  'places.locateZip': 'public',
  'providers.list': 'public',
  'providers.get': 'public',
  'providers.byDomain': 'public',
};

const rows: Record<string, Access> = {
  'POST /api/leads': 'public',
  'GET /api/leads/token': 'public',
  'POST /api/provider-applications': 'public',
  'GET /api/providers': 'public',
  'GET /api/providers/{id}': 'public',
  'GET /api/providers/domain/{hostname}': 'public',
  'GET /api/leads': 'staff',
  'PATCH /api/leads/{id}/provider': 'staff',
  'DELETE /api/leads/{id}': 'staff',
  'POST /api/leads/{id}/retry-sync': 'staff',
  'POST /api/leads/{id}/retry-email': 'staff',
  'POST /api/sync': 'staff',
};

/** tRPC has no public list of a router's procedures. */
const routerDefinition = z.object({ procedures: z.record(z.string(), z.unknown()) });

test('every procedure and every REST row has its access written down here', () => {
  const { procedures: existing } = routerDefinition.parse(Reflect.get(appRouter, '_def'));
  expect(Object.keys(existing).toSorted()).toEqual(Object.keys(procedures).toSorted());
  const listed = restRoutes.map(({ method, path, access }) => [`${method} ${path}`, access]);
  expect(Object.fromEntries(listed)).toEqual(rows);
});

test('every public row calls a procedure that exists and is public', () => {
  const called = restRoutes.flatMap((route) => (route.access === 'public' ? [route.procedure] : []));
  expect(called.map((procedure) => [procedure, procedures[procedure]])).toEqual(
    called.map((procedure) => [procedure, 'public']),
  );
});

test('staff rows are 401 on the main site and 404 on a clinic’s and on an unknown host, whatever is sent', async () => {
  await using app = await testApp();
  const clinic = await insertClinic(app.db, { zipCode: '80202' });
  const lead = (await app.post('/api/leads', leadInput({ zip_code: '80202' }))).json() as { id: number };
  await expect.poll(() => app.services.tenants.hasHost(clinic.domain ?? '')).toBe(true);
  for (const { access, method, path } of restRoutes) {
    if (access !== 'staff') continue;
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
      for (const host of [clinic, 'unknown.example']) {
        expect((await app.as(host).request(method, asked, { headers })).status).toBe(404);
      }
    }
    // Nor does the answer to another method tell that there is something for staff.
    for (const host of [clinic, 'unknown.example']) {
      const other = await app.as(host).request('PUT', asked);
      const expected = path === '/api/leads' ? [405, 'POST'] : [404, undefined];
      expect([asked, other.status, other.headers.allow]).toEqual([asked, ...expected]);
    }
  }
  const [kept] = await app.sql`select deleted_at, provider_id from leads where id = ${lead.id}`;
  expect(kept).toMatchObject({ deleted_at: null, provider_id: String(clinic.id) });
});

test('no public answer tells one clinic’s visitor of another clinic’s leads', async () => {
  await using app = await testApp();
  const [one, two] = [await insertClinic(app.db), await insertClinic(app.db)];
  await expect
    .poll(() => [one, two].every(({ domain }) => app.services.tenants.hasHost(domain ?? '')))
    .toBe(true);
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

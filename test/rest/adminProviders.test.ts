import { expect, test } from 'vitest';
import { adminApplicationListOutput } from '#shared/applications/adminApplications.ts';
import { domainCheck } from '#shared/providers/domainCheck.ts';
import { type AdminProviderList, adminProviderListOutput } from '#shared/admin/adminProviders.ts';
import { openKey } from '#server/features/providers/sealedKey.ts';
import { applicationInput } from '#test/support/applicationInput.ts';
import { insertUnreachable } from '#test/support/clinicMail.ts';
import { insertProvider } from '#test/support/factories.ts';
import { insertLeads } from '#test/support/leadRows.ts';
import { meets } from '#test/support/meets.ts';
import { signedIn, getToken } from '#test/support/staff.ts';
import { type Answer, testApp, type TestApp } from '#test/support/testApp.ts';

function toResult(answer: Answer): unknown {
  return (answer.json() as { result: { data: unknown } }).result.data;
}

async function list(
  app: TestApp,
  input: object,
  headers: Record<string, string>,
): Promise<AdminProviderList> {
  const query = encodeURIComponent(JSON.stringify(input));
  return adminProviderListOutput.parse(
    toResult(await app.get(`/trpc/admin.providers.list?input=${query}`, headers)),
  );
}

test('a list may have a limit; the counts include all', async () => {
  await using app = await testApp();
  for (const name of ['Cedar', 'alder', 'Birch']) await insertProvider(app.db, { name });
  const headers = await signedIn(app, 'viewer');
  const { providers, counts } = await list(app, { limit: 2 }, headers);
  expect(providers.map(({ name }) => name)).toEqual(['alder', 'Birch']);
  expect(counts.active).toBe(3);
  for (const limit of [0, 501]) {
    const query = encodeURIComponent(JSON.stringify({ limit }));
    expect((await app.get(`/trpc/admin.providers.list?input=${query}`, headers)).status).toBe(422);
  }
});

test('staff see both groups with lead counts and whether there is a key', async () => {
  meets('P3.provider.09 P3.provider.16 P7.call.15 D.leads.55 D.admin.34 D.names.18');
  await using app = await testApp();
  const [b, a] = [
    await insertProvider(app.db, {
      name: 'Birch',
      practiceName: null,
      mpxapi: 'sealed-secret',
      wordpressId: 77,
      phone: '(303) 555-0142',
    }),
    await insertProvider(app.db, { name: 'amber', practiceName: null, paused: true, matchRadiusMiles: 25 }),
  ];
  const gone = await insertProvider(app.db, { name: 'Gone', status: 'f' });
  await insertLeads(app.db, [
    { providerId: b.id },
    { providerId: b.id },
    { providerId: b.id, deletedAt: new Date() },
  ]);
  const headers = await signedIn(app, 'viewer');
  const active = await list(app, { status: 'active' }, headers);
  expect(active.counts).toEqual({ active: 2, inactive: 1 });
  expect(active.defaultRadiusMiles).toBe(100);
  expect(active.providers).toMatchObject([
    {
      id: a.id,
      name: 'amber',
      practiceName: null,
      leadCount: 0,
      paused: true,
      matchRadiusMiles: 25,
      hasMpxapi: false,
    },
    { id: b.id, email: b.email, wordpress_id: 77, leadCount: 2, paused: false, hasMpxapi: true, status: 't' },
  ]);
  expect(JSON.stringify(active)).not.toContain('sealed-secret');
  expect((await list(app, { status: 'inactive' }, headers)).providers.map(({ id }) => id)).toEqual([gone.id]);
  for (const [search, ids] of [
    ['BIRCH', [b.id]],
    ['3035550142', [b.id]],
    [`#${a.id}`, [a.id]],
    ['am', [a.id]],
    ['%', []],
  ] as const)
    expect([search, (await list(app, { search }, headers)).providers.map(({ id }) => id)]).toEqual([
      search,
      ids,
    ]);
});

test('staff can’t change a provider’s status; only a sync does', async () => {
  meets('P4.state.27');
  await using app = await testApp();
  const { id } = await insertProvider(app.db);
  const headers = await signedIn(app, 'owner');
  await app.post('/trpc/admin.providers.update', { id, status: 'f', paused: true }, headers);
  const rows = await app.sql`select status, paused from providers`;
  expect(rows).toEqual([{ status: 't', paused: expect.any(Boolean) }]);
});

test('a manager sets pause, radius, hue and key; the key is sealed and not logged', async () => {
  meets('P3.provider.12 D.admin.33 P1.people.11');
  await using app = await testApp();
  const provider = await insertProvider(app.db);
  const headers = await signedIn(app, 'manager');
  const update = (changes: object, by: Record<string, string> = headers) =>
    app.post('/trpc/admin.providers.update', { id: provider.id, ...changes }, by);
  const set = await update({ paused: true, matchRadiusMiles: 25, themeHue: 200, mpxapi: ' the-key ' });
  expect(toResult(set)).toMatchObject({
    id: provider.id,
    name: provider.name,
    paused: true,
    matchRadiusMiles: 25,
    themeHue: 200,
    hasMpxapi: true,
  });
  const stored = async () => {
    const [row] = await app.sql<
      { mpxapi: string | null }[]
    >`select mpxapi from providers where id = ${provider.id}`;
    return row?.mpxapi ?? null;
  };
  const sealed = (await stored()) ?? '';
  expect(sealed).not.toContain('the-key');
  expect(openKey(app.services.config.secretKeys, provider.id, sealed)).toBe('the-key');
  expect(toResult(await update({ matchRadiusMiles: null }))).toMatchObject({
    paused: true,
    matchRadiusMiles: null,
    hasMpxapi: true,
  });
  expect(toResult(await update({ mpxapi: null }))).toMatchObject({ hasMpxapi: false });
  expect((await update({})).status).toBe(200);
  for (const wrong of [
    { matchRadiusMiles: 0 },
    { matchRadiusMiles: 1.5 },
    { themeHue: 360 },
    { mpxapi: '' },
    { mpxapi: 'a b' },
    { id: 999_999, paused: true },
  ])
    expect([wrong, (await update(wrong)).status]).toEqual([wrong, 'id' in wrong ? 404 : 422]);
  expect((await update({ paused: false }, await signedIn(app, 'viewer'))).status).toBe(403);
  const log =
    await app.sql`select subject_kind, subject_id, detail from audit_log where action = 'provider.update' order by id`;
  const subject = { subject_kind: 'provider', subject_id: String(provider.id) };
  expect([...log]).toEqual([
    { ...subject, detail: { paused: true, matchRadiusMiles: 25, themeHue: 200, mpxapi: 'set' } },
    { ...subject, detail: { matchRadiusMiles: null } },
    { ...subject, detail: { mpxapi: 'emptied' } },
  ]);
});

test('the lead count follows every assignment and deletion', async () => {
  await using app = await testApp();
  const [one, two] = [
    await insertProvider(app.db, { name: 'A' }),
    await insertProvider(app.db, { name: 'B' }),
  ];
  const [lead] = await insertLeads(app.db, [{ providerId: one.id }, { providerId: one.id }]);
  const headers = await signedIn(app, 'manager');
  const counts = async () => (await list(app, {}, headers)).providers.map(({ leadCount }) => leadCount);
  expect(await counts()).toEqual([2, 0]);
  await app.post('/trpc/admin.leads.assign', { id: lead?.id, providerId: two.id }, headers);
  expect(await counts()).toEqual([1, 1]);
  await app.post('/trpc/admin.leads.remove', { id: lead?.id }, headers);
  expect(await counts()).toEqual([1, 0]);
});

test('only staff see the WordPress site', async () => {
  await using app = await testApp({ env: { WORDPRESS_URL: 'https://cms.example/site' } });
  expect((await list(app, {}, await signedIn(app, 'viewer'))).wordpressUrl).toBe('https://cms.example/site');
  for (const path of ['/', '/admin', '/api/providers'])
    expect((await app.get(path)).text).not.toContain('cms.example');
});

test('a domain check reads the page of this very server', async () => {
  meets('D.hosts.11');
  await using app = await testApp();
  const [good, closed, none] = [
    await insertProvider(app.db, { name: 'Good', practiceName: null, domain: 'good.localhost' }),
    await insertProvider(app.db, { name: 'Closed', domain: 'closed.localhost', status: 'f' }),
    await insertProvider(app.db, { domain: null }),
  ];
  await app.knows('good.localhost');
  const headers = await signedIn(app, 'viewer');
  const post = (id: number) => app.post('/trpc/admin.providers.checkDomain', { id }, headers);
  const check = async (id: number) => domainCheck.parse(toResult(await post(id)));
  expect(await check(good.id)).toEqual({
    domain: 'good.localhost',
    dns: { state: 'ok', text: 'good.localhost points here: 127.0.0.1.' },
    page: { state: 'ok', text: 'Good responds with its page.' },
    records: [],
  });
  expect((await check(closed.id)).page).toEqual({
    state: 'wrong',
    text: 'This service responds with the main site, because the provider is inactive.',
  });
  expect(await check(none.id)).toEqual({
    domain: null,
    dns: { state: 'unknown', text: 'The provider has no domain. Its page is on the main site.' },
    page: { state: 'unknown', text: 'There is no page to check without a domain.' },
    records: [],
  });
  expect((await post(999_999)).status).toBe(404);
  expect(await app.sql`select 1 from audit_log`).toHaveLength(0);
});

test('applications are listed by status, and a change of status is audited', async () => {
  await using app = await testApp();
  for (let index = 0; index < 3; index += 1)
    await app.post('/api/provider-applications', {
      ...applicationInput(),
      practice_name: `Practice ${index}`,
      ...(index === 1 && { contact_name: 'Zoë Marsh', email: 'zoe@marsh.example', phone: '(303) 555-0142' }),
    });
  const headers = await getToken(app, ['providers:read', 'providers:write']);
  const applications = async (input: object) => {
    const query = encodeURIComponent(JSON.stringify(input));
    return adminApplicationListOutput.parse(
      toResult(await app.get(`/trpc/admin.applications.list?input=${query}`, headers)),
    );
  };
  const all = await applications({});
  expect([all.total, all.applications.map(({ practice_name, status }) => [practice_name, status])]).toEqual([
    3,
    [
      ['Practice 2', 'new'],
      ['Practice 1', 'new'],
      ['Practice 0', 'new'],
    ],
  ]);
  const id = all.applications[1]?.id ?? 0;
  const setStatus = (input: object) => app.post('/trpc/admin.applications.setStatus', input, headers);
  for (const status of ['contacted', 'declined', 'accepted', 'new', 'accepted'])
    expect(toResult(await setStatus({ id, status }))).toMatchObject({ id, status });
  expect(await applications({ status: 'accepted' })).toMatchObject({ total: 1, applications: [{ id }] });
  expect(await applications({ page: 2, limit: 2 })).toMatchObject({
    total: 3,
    applications: [{ practice_name: 'Practice 0' }],
  });
  for (const search of ['tice 1', 'zoe', 'marsh.example', '303-555-0142', '0142', `#${id}`])
    expect(await applications({ search })).toMatchObject({ total: 1, applications: [{ id }] });
  expect((await applications({ search: 'practice' })).total).toBe(3);
  expect((await applications({ search: 'zoe', status: 'new' })).total).toBe(0);
  expect((await applications({ search: '%' })).total).toBe(0);
  expect((await setStatus({ id, status: 'approved' })).status).toBe(422);
  expect((await setStatus({ id: 999_999, status: 'new' })).status).toBe(404);
  const log = await app.sql`select detail from audit_log where action = 'application.status' order by id`;
  expect([...log].at(-1)).toEqual({ detail: { status: 'accepted' } });
  expect(log).toHaveLength(5);
});

test('staff and scripts see which providers get no email, and send again', async () => {
  await using app = await testApp();
  const provider = await insertProvider(app.db, { name: 'Amber', email: 'front@quay.example' });
  await insertProvider(app.db, { name: 'Birch' });
  await insertUnreachable(app, provider, { leads: 3 });
  const viewer = await signedIn(app, 'viewer');
  const seen = (await list(app, {}, viewer)).providers.map(({ name, unreachable }) => [
    name,
    unreachable?.waiting,
  ]);
  expect(seen).toEqual([
    ['Amber', 3],
    ['Birch', undefined],
  ]);
  const path = `/api/unreachable-providers/${provider.id}/send-again`;
  expect((await app.post(path, '', { ...viewer, 'content-type': 'application/json' })).status).toBe(403);
  const token = await getToken(app, ['deliveries:write', 'providers:read']);
  const read = async () => (await app.get(`/api/providers/${provider.id}`, token)).json();
  expect(await read()).toMatchObject({ unreachable: { cause: 'bounce', waiting: 3 } });
  const answer = await app.post(path, '', token);
  expect([answer.status, answer.json()]).toEqual([200, { id: provider.id, emails: 3 }]);
  expect(await read()).toMatchObject({ unreachable: null });
  expect((await app.post('/api/unreachable-providers/999999/send-again', '', token)).status).toBe(404);
  const audited =
    await app.sql`select actor_kind, subject_id from audit_log where action = 'provider.send-again'`;
  expect([...audited]).toEqual([{ actor_kind: 'token', subject_id: String(provider.id) }]);
});

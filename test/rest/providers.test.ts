import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { insertProvider } from '#test/support/factories.ts';
import { insertLead } from '#test/support/leadRows.ts';
import { meets } from '#test/support/meets.ts';
import { signedIn, getToken } from '#test/support/staff.ts';
import { testApp } from '#test/support/testApp.ts';

const publicFields = [
  'accepts_financing',
  'accepts_free_consultation',
  'address',
  'domain',
  'id',
  'image_url',
  'latitude',
  'logo_url',
  'longitude',
  'name',
  'phone',
  'practiceName',
  'status',
  'url',
  'website',
  'zipCode',
];

describe('public responses about providers', () => {
  test('contain only the specified public fields', async () => {
    meets('P7.call.01 P7.call.02 P7.call.08 D.admin.31');
    await using app = await testApp();
    const provider = await insertProvider(app.db, {
      mpxapi: 'secret-mpxapi',
      email: 'private@clinic.example',
      wordpressId: 778899,
    });
    const answers = [
      await app.get('/api/providers'),
      await app.get(`/api/providers/${provider.id}`),
      await app.get(`/api/providers/domain/${provider.domain ?? ''}`),
      await app.get('/trpc/providers.list?input=%7B%7D'),
      await app.get(`/trpc/providers.get?input=${encodeURIComponent(JSON.stringify({ id: provider.id }))}`),
      await app.get(
        `/trpc/providers.byDomain?input=${encodeURIComponent(JSON.stringify({ hostname: provider.domain }))}`,
      ),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(200);
      expect(answer.text).toContain(provider.name);
      expect(answer.text).not.toMatch(
        /secret-mpxapi|private@clinic|778899|mpxapi|email|wordpress|lead_?count/i,
      );
    }
    expect(Object.keys(answers[1]?.json() as object).toSorted()).toEqual(publicFields);
  });

  test('of pages and leads contain no private fields either', async () => {
    meets('D.admin.31');
    await using app = await testApp();
    const provider = await insertProvider(app.db, {
      mpxapi: 'secret-mpxapi',
      email: 'private@clinic.example',
      wordpressId: 778899,
    });
    await expect.poll(async () => (await app.as(provider).get('/')).text).toContain(provider.practiceName);
    for (const answer of [
      await app.as(provider).get('/'),
      await app.get(`/?providerId=${provider.id}`),
      await app.get(`/success?providerId=${provider.id}`),
    ]) {
      expect(answer.text).toContain(provider.practiceName);
      expect(answer.text).not.toMatch(/secret-mpxapi|private@clinic|778899/);
    }
  });

  test('an unchanged response is a 304 by its ETag, a changed one is sent', async () => {
    await using app = await testApp();
    const provider = await insertProvider(app.db);
    const path = `/api/providers/${provider.id}`;
    const first = await app.get(path);
    const etag = first.headers.etag ?? '';
    const again = await app.get(path, { 'if-none-match': etag });
    expect([again.status, again.text, again.headers.etag]).toEqual([304, '', etag]);
    await app.sql`update providers set phone = '555-0199' where id = ${provider.id}`;
    expect((await app.get(path, { 'if-none-match': etag })).status).toBe(200);
  });

  test('the list is compressed, follows every change, and is a 304 otherwise', async () => {
    meets('P7.call.12 P7.call.57 D.conformity.09');
    await using app = await testApp();
    const provider = await insertProvider(app.db, { name: 'List Clinic' });
    await insertProvider(app.db, { name: 'Gone Clinic', status: 'f' });
    const plain = await app.get('/api/providers');
    expect(plain.json()).toEqual([expect.objectContaining({ id: provider.id, name: 'List Clinic' })]);
    for (const [encoding, unpack] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const answer = await app.get('/api/providers?status=active', { 'accept-encoding': encoding });
      expect([answer.headers['content-encoding'], answer.headers.vary]).toEqual([
        encoding,
        'Accept-Encoding',
      ]);
      expect(unpack(answer.body).toString()).toBe(plain.text);
    }
    const { etag = '' } = plain.headers;
    expect((await app.get('/api/providers', { 'if-none-match': etag })).status).toBe(304);
    expect((await app.get('/api/providers?status=inactive')).json()).toEqual([]);
    await app.sql`update providers set name = 'Renamed Clinic' where id = ${provider.id}`;
    await expect.poll(async () => (await app.get('/api/providers')).text).toContain('Renamed Clinic');
    expect((await app.get('/api/providers', { 'if-none-match': etag })).status).toBe(200);
  });

  test('unknown, inactive and invalid ids and hosts are a 404, a wrong status 422', async () => {
    meets('P7.call.07 D.errors.09');
    await using app = await testApp();
    const gone = await insertProvider(app.db, { status: 'f' });
    for (const path of [
      '/api/providers/999999',
      `/api/providers/${gone.id}`,
      '/api/providers/abc',
      '/api/providers/0',
      '/api/providers/-1',
      '/api/providers/1e3',
      '/api/providers/99999999999999999999',
      '/api/providers/%00',
      '/api/providers/%E0%A4%A',
      `/api/providers/domain/${gone.domain ?? ''}`,
      '/api/providers/domain/localhost',
      '/api/providers/domain/%00',
      "/api/providers/domain/';drop%20table%20leads",
    ]) {
      const answer = await app.get(path);
      expect([path, answer.status]).toEqual([path, 404]);
      expect(answer.headers['content-type']).toMatch(/problem\+json/);
    }
    expect((await app.get('/api/providers?status=other')).status).toBe(422);
  });
});

describe('the list for staff and scripts', () => {
  const secrets = { mpxapi: 'secret-mpxapi', email: 'private@clinic.example', wordpressId: 778899 };

  test('contains inactive providers, lead counts and staff fields, but no key', async () => {
    meets('P7.call.13');
    await using app = await testApp();
    const active = await insertProvider(app.db, secrets);
    const inactive = await insertProvider(app.db, { ...secrets, wordpressId: 778900, status: 'f' });
    await insertLead(app.db, { providerId: inactive.id });
    await app.knows(active);
    for (const headers of [await getToken(app, ['providers:read']), await signedIn(app, 'viewer')]) {
      const joinList = async (status: string) =>
        (await app.get(`/api/providers?status=${status}`, headers)).json();
      const row = expect.objectContaining({
        id: inactive.id,
        status: 'f',
        email: secrets.email,
        wordpress_id: 778900,
        leadCount: 1,
      });
      expect(await joinList('inactive')).toEqual([row]);
      expect(await joinList('all')).toEqual([
        expect.objectContaining({ id: active.id, leadCount: 0, email: secrets.email }),
        row,
      ]);
      const one = await app.get(`/api/providers/${inactive.id}`, headers);
      expect([one.status, one.headers['cache-control'], one.json()]).toEqual([200, 'no-store', row]);
      expect(JSON.stringify(await joinList('all')) + one.text).not.toMatch(/mpxapi/i);
    }
  });

  test('is public for anyone else, and an unknown token is a 401', async () => {
    meets('P7.call.57');
    await using app = await testApp();
    const active = await insertProvider(app.db, secrets);
    const inactive = await insertProvider(app.db, { ...secrets, wordpressId: 778900, status: 'f' });
    await app.knows(active);
    const elsewhere = await getToken(app, ['providers:read']);
    for (const [client, headers] of [
      [app, {}],
      [app, await getToken(app, ['leads:read'])],
      [app.as(active), elsewhere],
    ] as const) {
      expect((await client.get('/api/providers?status=inactive', headers)).json()).toEqual([]);
      const all = await client.get('/api/providers?status=all', headers);
      expect(all.json()).toEqual([expect.objectContaining({ id: active.id })]);
      expect(all.text).not.toMatch(/mpxapi|private@clinic|wordpress|leadCount/);
      expect((await client.get(`/api/providers/${inactive.id}`, headers)).status).toBe(404);
    }
    const unknown = { authorization: 'Bearer mpx_unknown' };
    expect((await app.get('/api/providers?status=all', unknown)).status).toBe(401);
  });
});

describe('GET /api/domains/verify', () => {
  test('is 200 for the host of an active provider in any notation, otherwise 404', async () => {
    meets('D.hosts.41 D.hosts.42');
    await using app = await testApp();
    const provider = await insertProvider(app.db, { domain: 'verify-me.example' });
    const gone = await insertProvider(app.db, { status: 'f' });
    const verify = async (domain: string): Promise<number> =>
      (await app.get(`/api/domains/verify?domain=${domain}`)).status;
    await expect.poll(() => verify(provider.domain ?? '')).toBe(200);
    for (const spelling of ['VERIFY-ME.example', 'www.verify-me.example', 'verify-me.example.'])
      expect([spelling, await verify(spelling)]).toEqual([spelling, 200]);
    for (const other of [
      '',
      'localhost',
      'unknown.example',
      gone.domain ?? '',
      'a..b',
      '%00',
      'x'.repeat(300),
    ])
      expect([other, await verify(other)]).toEqual([other, 404]);
    expect((await app.get('/api/domains/verify')).status).toBe(404);
  });
});

describe('the facade', () => {
  test('an unknown path is a 404, a wrong method a 405 with Allow', async () => {
    meets('D.errors.09');
    await using app = await testApp();
    for (const path of ['/api', '/api/', '/api/none', '/api/leads/', '/api/providers/1/2']) {
      expect([path, (await app.get(path)).status]).toEqual([path, 404]);
    }
    const wrong = await app.request('PUT', '/api/leads');
    expect([wrong.status, wrong.headers.allow]).toEqual([405, 'GET, HEAD, POST']);
    expect(wrong.json()).toMatchObject({ status: 405, title: 'Method not allowed' });
    const head = await app.request('HEAD', '/api/providers');
    expect([head.status, head.text]).toEqual([200, '']);
  });
});

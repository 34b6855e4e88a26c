import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { publicProvider } from '#shared/providers/providerFieldLists.ts';
import { insertProvider } from '#test/support/factories.ts';
import { meets } from '#test/support/meets.ts';
import { testApp } from '#test/support/testApp.ts';

/** Private fields, which no response contains. */
const secrets = { email: 'private@example.com', mpxapi: 'mpx-secret-key', wordpressId: 987_654_321 };

function toData(answer: { json: () => unknown }): unknown {
  return (answer.json() as { result?: { data?: unknown } }).result?.data;
}

const buildInput = (value: unknown): string => `input=${encodeURIComponent(JSON.stringify(value))}`;

test('a provider has all specified public fields and no private ones', async () => {
  meets('P3.provider.01 P3.provider.14 P5.valid.32 P7.call.10');
  await using app = await testApp();
  const provider = await insertProvider(app.db, {
    ...secrets,
    name: 'Elm',
    practiceName: null,
    logoUrl: '/logo.svg',
    imageUrl: '/image.jpg',
    acceptsFinancing: true,
    url: 'https://profile.example.com',
  });
  const answers = await Promise.all([
    app.get(`/trpc/providers.get?${buildInput({ id: provider.id })}`),
    app.get(`/trpc/providers.byDomain?${buildInput({ hostname: provider.domain })}`),
    app.get(`/trpc/providers.list?${buildInput({})}`),
  ]);
  for (const answer of answers) {
    expect(answer.status).toBe(200);
    const found: unknown = [toData(answer)].flat()[0];
    expect(publicProvider.strict().parse(found)).toEqual({
      id: provider.id,
      name: 'Elm',
      practiceName: null,
      address: provider.address,
      zipCode: provider.zipCode,
      status: 't',
      latitude: provider.latitude,
      longitude: provider.longitude,
      phone: provider.phone,
      website: provider.website,
      url: 'https://profile.example.com',
      domain: provider.domain,
      image_url: '/image.jpg',
      logo_url: '/logo.svg',
      accepts_free_consultation: false,
      accepts_financing: true,
    });
    for (const secret of Object.values(secrets)) expect(answer.text).not.toContain(String(secret));
  }
});

test('the list by tRPC equals the one by REST, compressed and from memory', async () => {
  meets('D.conformity.02 D.conformity.03');
  await using app = await testApp();
  await insertProvider(app.db, { name: 'Elm' });
  await expect.poll(async () => (await app.get('/api/providers')).text).toContain('Elm');
  const zipped = { 'accept-encoding': 'gzip' };
  const path = `/trpc/providers.list?${buildInput({})}`;
  const answer = await app.get(path, zipped);
  expect([answer.status, answer.headers['content-encoding']]).toEqual([200, 'gzip']);
  const rest: unknown = (await app.get('/api/providers')).json();
  expect(JSON.parse(gunzipSync(answer.body).toString())).toEqual({ result: { data: rest } });
  expect((await app.get('/trpc/providers.list')).json()).toEqual({ result: { data: rest } });
  const again = await app.get(path, { ...zipped, 'if-none-match': String(answer.headers.etag) });
  expect([again.status, again.body.length]).toEqual([304, 0]);
});

test('the list is refused by POST and in a batch, with a hint', async () => {
  await using app = await testApp();
  const batch = Array.from({ length: 10 }, () => 'providers.list').join(',');
  const inputs = (size: number): string =>
    buildInput(Object.fromEntries(Array.from({ length: size }, (_, at) => [at, {}])));
  for (const answer of [
    await app.get(`/trpc/${batch}?batch=1&${inputs(10)}`),
    await app.get(`/trpc/providers.list?batch=1&${inputs(1)}`),
    await app.get(`/trpc/providers%2Elist?batch=1&${inputs(1)}`),
    await app.post('/trpc/providers.list', {}),
  ])
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('/api/providers')]);
});

test('active providers are listed by id, inactive ones for staff only', async () => {
  meets('P3.provider.09 P7.call.12 P9.const.34');
  await using app = await testApp();
  const [one, two] = [await insertProvider(app.db), await insertProvider(app.db)];
  const inactive = await insertProvider(app.db, { status: 'f' });
  const list = toData(await app.get(`/trpc/providers.list?${buildInput({ status: 'active' })}`));
  expect(list).toEqual([expect.objectContaining({ id: one.id }), expect.objectContaining({ id: two.id })]);
  expect(toData(await app.get(`/trpc/providers.list?${buildInput({ status: 'inactive' })}`))).toEqual([]);
  for (const input of [
    `get?${buildInput({ id: inactive.id })}`,
    `byDomain?${buildInput({ hostname: inactive.domain })}`,
  ]) {
    const answer = await app.get(`/trpc/providers.${input}`);
    expect([answer.status, answer.text.includes('Provider not found')]).toEqual([404, true]);
  }
});

test('a provider is found by its host in any notation, other hosts are not found', async () => {
  meets('P7.call.08 P7.call.09');
  await using app = await testApp({ env: { MAIN_DOMAINS: 'brand.example' } });
  const provider = await insertProvider(app.db, { domain: 'xn--mnchen-3ya.example' });
  const taken = await insertProvider(app.db, { domain: 'brand.example' });
  const getStatus = async (hostname: string): Promise<[string, number]> => [
    hostname,
    (await app.get(`/trpc/providers.byDomain?${buildInput({ hostname })}`)).status,
  ];
  for (const hostname of ['xn--mnchen-3ya.example', 'www.München.example:443', 'MÜNCHEN.EXAMPLE.']) {
    const found = toData(await app.get(`/trpc/providers.byDomain?${buildInput({ hostname })}`));
    expect(found).toMatchObject({ id: provider.id });
  }
  for (const hostname of [
    taken.domain ?? '',
    'localhost',
    '127.0.0.1:3000',
    'nobody.example',
    'a b',
    "x' or true --",
    '../etc',
  ]) {
    expect(await getStatus(hostname)).toEqual([hostname, 404]);
  }
});

test.each([
  [0],
  [-1],
  [1.5],
  ['x'],
  [null],
  [Number.MAX_SAFE_INTEGER + 1],
  [[1, 2]],
  [{ id: 1 }],
  [true],
  [[1]],
  ['1'],
])('the id %j is invalid input and no server error', async (id) => {
  await using app = await testApp();
  const answer = await app.get(`/trpc/providers.get?${buildInput({ id })}`);
  expect(answer.status).toBe(422);
  expect(answer.text).not.toMatch(/stack|select|sql/i);
});

test('the largest possible id is not found', async () => {
  await using app = await testApp();
  expect((await app.get(`/trpc/providers.get?${buildInput({ id: Number.MAX_SAFE_INTEGER })}`)).status).toBe(
    404,
  );
});

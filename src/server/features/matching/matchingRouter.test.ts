import { expect, test } from 'vitest';
import { parseHours } from '#shared/providers/detailValues.ts';
import { formToken } from '#test/support/formToken.ts';
import { insertProvider } from '#test/support/factories.ts';
import { testApp, type TestApp } from '#test/support/testApp.ts';
import { leadInput } from '#test/support/factories.ts';
import { meets } from '#test/support/meets.ts';

function preview(app: TestApp, input: unknown, host?: string) {
  return (host === undefined ? app : app.as(host)).post('/trpc/matching.preview', input);
}

/** The call's result. */
async function previewed(app: TestApp, input: unknown, host?: string): Promise<unknown> {
  const answer = await preview(app, input, host);
  expect(answer.status).toBe(200);
  const body = answer.json();
  return typeof body === 'object' && body !== null ? Reflect.get(Reflect.get(body, 'result'), 'data') : null;
}

test('the preview names the provider that a lead with the ZIP is matched with', async () => {
  meets('D.leads.63');
  await using app = await testApp();
  const [denver, boulder] = [
    await insertProvider(app.db, {
      name: 'Denver Clinic',
      practiceName: 'Denver Practice',
      address: '1 Sample Street, Denver, CO 80202',
      imageUrl: null,
      zipCode: '80202',
    }),
    await insertProvider(app.db, {
      name: 'Boulder Clinic',
      practiceName: null,
      address: null,
      zipCode: '80301',
      hours: parseHours('Mon-Sun 00:00-24:00') ?? null,
    }),
  ];
  expect(await previewed(app, { zip: '80202-1234' })).toEqual({
    id: denver.id,
    name: 'Denver Practice',
    city: 'Denver, CO',
    initial: 'D',
    imageUrl: null,
    distanceMiles: 0,
    isWithinReach: true,
    clock: expect.stringMatching(/^\d{1,2}:\d{2} [AP]M Mountain$/),
    opening: null,
  });
  expect(await previewed(app, { zip: '80027' })).toMatchObject({
    name: 'Boulder Clinic',
    // Without an address, the ZIP code's town.
    city: 'Boulder, CO',
    opening: { isOpen: true, until: null },
    distanceMiles: expect.toSatisfy(Number.isInteger),
    isWithinReach: true,
  });
  for (const [zip, provider] of [
    ['80202', denver],
    ['80027', boulder],
  ] as const)
    expect((await app.post('/api/leads', leadInput({ zip_code: zip }))).json()).toMatchObject({
      providerId: provider.id,
    });
});

test.each([
  ['of its ZIP code’s only zone', '80202', null, '6:00 AM Mountain'],
  ['in none of a ZIP code’s two zones', '86004', null, null],
  ['of the zone that is known of it', '86004', 'America/Phoenix', '5:00 AM Arizona'],
  ['of the zone that its ZIP code isn’t in', '80202', 'America/New_York', '8:00 AM Eastern'],
])('the preview has the provider’s time %s', async (_, zipCode, timeZone, clock) => {
  await using app = await testApp({ now: () => new Date('2026-06-01T12:00:00Z') });
  await app.knows(await insertProvider(app.db, { zipCode, timeZone }));
  expect(await previewed(app, { zip: zipCode })).toMatchObject({ clock });
});

test('beyond reach the preview is the nearest provider, which gets no lead', async () => {
  meets('D.leads.64');
  await using app = await testApp();
  const provider = await insertProvider(app.db, { practiceName: 'Far Practice', zipCode: '80202' });
  await app.knows(provider);
  expect(await previewed(app, { zip: '99501' })).toMatchObject({
    id: provider.id,
    name: 'Far Practice',
    distanceMiles: expect.toSatisfy((miles: number) => miles > 2000),
    isWithinReach: false,
  });
  const lead = (await app.post('/api/leads', leadInput({ zip_code: '99501' }))).json();
  expect(lead).not.toHaveProperty('providerId');
});

test('the preview is null without a provider or a known ZIP', async () => {
  await using app = await testApp();
  expect(await previewed(app, { zip: '80202' })).toBeNull();
  await insertProvider(app.db, { zipCode: '80202' });
  for (const zip of ['00001', 'K1A']) expect(await previewed(app, { zip })).toBeNull();
  for (const input of [{ zip: '' }, { zip: 80202 }, {}]) expect((await preview(app, input)).status).toBe(422);
});

test("a provider's host previews that provider for any requested id", async () => {
  await using app = await testApp();
  await insertProvider(app.db, { practiceName: 'Own Practice', domain: 'own.example', zipCode: '99501' });
  const other = await insertProvider(app.db, { zipCode: '80202' });
  await expect.poll(() => app.services.tenants.hasHost('own.example')).toBe(true);
  expect(await previewed(app, { zip: '80202', providerId: other.id }, 'own.example')).toMatchObject({
    name: 'Own Practice',
  });
  expect(await previewed(app, { zip: 'K1A' }, 'own.example')).toMatchObject({
    name: 'Own Practice',
    distanceMiles: null,
    isWithinReach: true,
  });
});

test('the preview is a POST and is never stored', async () => {
  await using app = await testApp();
  const input = encodeURIComponent(JSON.stringify({ zip: '80202' }));
  expect((await app.get(`/trpc/matching.preview?input=${input}`)).status).toBe(405);
  expect((await preview(app, { zip: '80202' })).headers['cache-control']).toBe('no-store');
});

test('a network gets twenty previews a minute, in batches too', async () => {
  await using app = await testApp();
  // One after the other: on a busy machine, so many at once would wait for the database for too long.
  for (let sent = 1; sent <= 18; sent += 1)
    expect({ sent, status: (await preview(app, { zip: '80202' })).status }).toEqual({ sent, status: 200 });
  const paths = Array.from({ length: 5 }, () => 'matching.preview').join(',');
  const inputs = Object.fromEntries(Array.from({ length: 5 }, (_, at) => [at, { zip: '80202' }]));
  const batch = await app.post(`/trpc/${paths}?batch=1`, inputs);
  expect(batch.text.match(/"httpStatus":429/g)?.length).toBe(3);
  const refused = await preview(app, { zip: '80202' });
  expect(refused.status).toBe(429);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect((await app.post('/api/leads', leadInput())).status).toBe(201);
});

test("the client's provider name is evidence only if that provider is matched", async () => {
  await using app = await testApp();
  const provider = await insertProvider(app.db, { practiceName: 'True Practice', zipCode: '80202' });
  await expect.poll(() => app.services.tenants.hasHost(provider.domain ?? '')).toBe(true);
  const getSeller = async (seller_shown: string): Promise<unknown> => {
    const { id } = (
      await app.post('/api/leads', leadInput({ form: 'quiz', token: formToken('quiz'), seller_shown }))
    ).json() as {
      id: number;
    };
    const [row] =
      await app.sql`select seller_provider_id, seller_name from consent_records where lead_id = ${id}`;
    return row;
  };
  expect(await getSeller('True Practice')).toEqual({
    seller_provider_id: String(provider.id),
    seller_name: 'True Practice',
  });
  for (const claimed of ['Made-up Practice', ''])
    expect(await getSeller(claimed)).toEqual({ seller_provider_id: null, seller_name: null });
});

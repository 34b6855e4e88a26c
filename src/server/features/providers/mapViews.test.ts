import { expect, test } from 'vitest';
import { type MapView, mapView, type MapViewInput } from '#shared/providers/mapView.ts';
import { pagesPerMinute } from './listPages.ts';
import { insertProvider } from '#test/support/factories.ts';
import { meets } from '#test/support/meets.ts';
import { type TestApp, testApp } from '#test/support/testApp.ts';

const country = { west: -125, south: 24, east: -66, north: 50, zoom: 4 };
const denver = { latitude: 39.7392, longitude: -104.9903 };
const town = { west: -105.1, south: 39.7, east: -104.9, north: 39.8, zoom: 12 };

const getPath = (input: object): string =>
  `/trpc/providers.inView?input=${encodeURIComponent(JSON.stringify(input))}`;

async function toView(app: TestApp, input: MapViewInput): Promise<MapView> {
  const { result }: { result: { data: unknown } } = Object((await app.get(getPath(input))).json());
  return mapView.strict().parse(result.data);
}

const sumCounts = ({ clusters, pins }: MapView): number =>
  clusters.reduce((sum, { count }) => sum + count, pins.length);

test('a view has the active providers with coordinates in it, and the total of all', async () => {
  await using app = await testApp();
  const single = await insertProvider(app.db, { latitude: 47.6062, longitude: -122.3321 });
  for (const east of [0, 0.1, 0.2]) await insertProvider(app.db, { ...denver, longitude: -104.9903 + east });
  await insertProvider(app.db, { latitude: null, longitude: null });
  await insertProvider(app.db, { status: 'f', ...denver });
  await insertProvider(app.db, { latitude: 21.3, longitude: -157.8 });
  await expect.poll(async () => (await toView(app, country)).total).toBe(6);
  await expect.poll(async () => sumCounts(await toView(app, country))).toBe(4);
  const { clusters, pins } = await toView(app, country);
  expect(pins).toEqual([{ id: single.id, latitude: 47.6062, longitude: -122.3321 }]);
  expect(clusters).toEqual([
    expect.objectContaining({ count: 3, west: -104.9903, east: -104.7903, south: 39.7392, north: 39.7392 }),
  ]);
  expect(clusters[0]?.longitude).toBeCloseTo(-104.8903, 4);
  const close = await toView(app, { ...town, east: -104.7 });
  expect([close.clusters, close.pins.length, close.total]).toEqual([[], 3, 6]);
});

test('views follow changes: a close one at once, a wide one soon', async () => {
  await using app = await testApp();
  const provider = await insertProvider(app.db, denver);
  await app.knows(provider);
  await expect.poll(async () => sumCounts(await toView(app, country))).toBe(1);
  expect((await toView(app, town)).pins).toHaveLength(1);
  await app.sql`update providers set status = 'f' where id = ${provider.id}`;
  await expect.poll(async () => sumCounts(await toView(app, town))).toBe(0);
  await expect.poll(async () => sumCounts(await toView(app, country))).toBe(0);
});

async function insertMany(app: TestApp, count: number): Promise<void> {
  await app.sql`
    insert into providers (name, email, zip_code, status, latitude, longitude)
    select 'Clinic ' || n, 'clinic@example.com', '80202', 't', 39.7 + n % 30 / 500.0, -105 + n / 100000.0
    from generate_series(1, ${count}::int) n`;
}

test('from zoom 8 on, a view has a pin for each provider and no cluster', async () => {
  meets('P2.map.26');
  await using app = await testApp();
  await insertMany(app, 1_000);
  const around = { west: -107, south: 38, east: -103, north: 41 };
  const wide = await toView(app, { ...around, zoom: 7 });
  expect([wide.pins, wide.clusters.map(({ count }) => count)]).toEqual([[], [1_000]]);
  for (const zoom of [8, 9, 14]) {
    const { pins, clusters } = await toView(app, { ...around, zoom });
    expect([new Set(pins.map(({ id }) => id)).size, clusters]).toEqual([1_000, []]);
  }
});

test('a close view of more than 10,000 providers has clusters, and none is missing', async () => {
  await using app = await testApp();
  await insertMany(app, 10_001);
  const view = await toView(app, town);
  expect(view.clusters.length).toBeGreaterThan(3);
  expect(sumCounts(view)).toBe(10_001);
  const wide = await toView(app, country);
  expect(wide.clusters.map(({ count }) => count)).toEqual([10_001]);
});

test.each([
  [{ ...country, west: -60 }, 'west'],
  [{ ...country, south: 60 }, 'south'],
  [{ ...country, east: 181 }, 'east'],
  [{ ...country, zoom: 4.5 }, 'zoom'],
  [{ ...country, zoom: 21 }, 'zoom'],
])('the view %j is refused for its %s', async (input, field) => {
  await using app = await testApp();
  const answer = await app.get(getPath(input));
  const { error }: { error: { data: { errors: object } } } = Object(answer.json());
  expect([answer.status, Object.keys(error.data.errors)]).toEqual([422, [field]]);
});

test.each([
  ['wide', country],
  ['known close', town],
])('every %s view counts, by the network, also those of a batch', async (_name, view) => {
  await using app = await testApp();
  await app.knows(await insertProvider(app.db, denver));
  await toView(app, view);
  for (let page = 3; page < pagesPerMinute; page += 1)
    await app.services.providers.pageLimits.take('127.0.0.1');
  const inputs = encodeURIComponent(JSON.stringify({ 0: view, 1: view, 2: view }));
  const batch = '/trpc/providers.inView,providers.inView,providers.inView?batch=1&input=';
  expect((await app.get(`${batch}${inputs}`)).text.match(/"code":"TOO_MANY_REQUESTS"/g)).toHaveLength(1);
  expect((await app.get(getPath(view))).status).toBe(429);
});

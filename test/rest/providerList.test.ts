import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { greatCircleMiles } from '#shared/leads/geo.ts';
import { publicProvider } from '#shared/providers/providerFieldLists.ts';
import { listActivePage } from '#server/features/providers/listQueries.ts';
import { largePartsPerMinute, pagesPerMinute } from '#server/features/providers/listPages.ts';
import { insertProvider } from '#test/support/factories.ts';
import { meets } from '#test/support/meets.ts';
import { getToken } from '#test/support/staff.ts';
import { testDb } from '#test/support/testDb.ts';
import { type TestApp, testApp } from '#test/support/testApp.ts';

const place = { latitude: null, longitude: null };
const denver = { latitude: 39.7392, longitude: -104.9903 };
const boulder = { latitude: 40.015, longitude: -105.2705 };
const pueblo = { latitude: 38.2544, longitude: -104.6091 };
const fiji = { latitude: -17.7, longitude: 178.1 };
const samoa = { latitude: -13.8, longitude: -171.8 };

type Answer = Awaited<ReturnType<TestApp['get']>>;

function listIds(answer: Answer): number[] {
  return publicProvider
    .array()
    .parse(answer.json())
    .map(({ id }) => id);
}

/** The path of the page that follows; null after the last. */
function getNext({ headers }: Answer): string | null {
  return /^<(.+)>; rel="next"$/.exec(String(headers['link']))?.[1] ?? null;
}

/** All rows of the list from a path on, and the size of each page. */
async function walk(app: TestApp, path: string, headers = {}): Promise<{ ids: number[]; sizes: number[] }> {
  const pages: number[][] = [];
  for (let next: string | null = path; next !== null;) {
    const answer: Answer = await app.get(next, headers);
    expect([next, answer.status]).toEqual([next, 200]);
    pages.push(listIds(answer));
    next = getNext(answer);
  }
  return { ids: pages.flat(), sizes: pages.map(({ length }) => length) };
}

describe('a small network', () => {
  let app: TestApp;
  const ids: Record<string, number> = {};
  const getId = (...names: string[]): (number | undefined)[] => names.map((name) => ids[name]);
  beforeAll(async () => {
    app = await testApp();
    // Not in the order of their distances.
    for (const [name, own] of Object.entries({ boulder, pueblo, zip: place, denver, samoa, fiji }))
      ids[name] = (await insertProvider(app.db, { zipCode: '10016', ...own })).id;
    ids['closed'] = (await insertProvider(app.db, { status: 'f', ...denver })).id;
  });
  afterAll(() => app[Symbol.asyncDispose]());

  test('comes in pages of `limit`, each with the link of the next', async () => {
    const { ids: listed, sizes } = await walk(app, '/api/providers?limit=4');
    expect(sizes).toEqual([4, 2]);
    expect(listed).toEqual(getId('boulder', 'pueblo', 'zip', 'denver', 'samoa', 'fiji'));
    const first = await app.get('/api/providers?limit=4');
    await expect
      .poll(async () => (await app.get('/api/providers?limit=4')).headers['x-total-count'])
      .toBe('6');
    const etag = first.headers.etag ?? '';
    expect((await app.get('/api/providers?limit=4', { 'if-none-match': etag })).status).toBe(304);
    const exactly = await app.get('/api/providers?limit=6');
    expect([listIds(exactly).length, getNext(exactly)]).toEqual([6, null]);
  });

  test('has providers in a box only, from south to north, in pages', async () => {
    const colorado = await app.get('/api/providers?bbox=-109.05,37,-102.05,41');
    expect(listIds(colorado)).toEqual(getId('pueblo', 'denver', 'boulder'));
    expect(colorado.headers['x-total-count']).toBeUndefined();
    const { ids: listed, sizes } = await walk(app, '/api/providers?bbox=-109.05,37,-102.05,41&limit=2');
    expect([listed, sizes]).toEqual([getId('pueblo', 'denver', 'boulder'), [2, 1]]);
    expect(listIds(await app.get('/api/providers?bbox=-105.2705,40.015,-105.2705,40.015'))).toEqual(
      getId('boulder'),
    );
    expect(listIds(await app.get('/api/providers?bbox=-60,-10,-50,0'))).toEqual([]);
  });

  test('has the providers of a box over the date line', async () => {
    expect(listIds(await app.get('/api/providers?bbox=170,-25,-165,-5'))).toEqual(getId('fiji', 'samoa'));
  });

  test('has the nearest to a point or a ZIP first, also those placed by their ZIP', async () => {
    const near = (query: string) => app.get(`/api/providers?near=${query}`);
    const fromBoulder = getId('boulder', 'denver', 'pueblo', 'zip', 'samoa', 'fiji');
    expect(listIds(await near('40.015,-105.2705'))).toEqual(fromBoulder);
    expect(listIds(await near('80302'))).toEqual(fromBoulder);
    const two = await near('10016-1234&limit=2');
    expect([listIds(two), getNext(two), two.headers['x-total-count']]).toEqual([
      getId('zip', 'denver'),
      null,
      undefined,
    ]);
  });

  test('equally near providers are in the order of their ids', async () => {
    await using twins = await testApp();
    const created: number[] = [];
    for (let count = 0; count < 5; count += 1) created.push((await insertProvider(twins.db, denver)).id);
    await twins.sql`update providers set name = name || '!' where id = ${created[0] ?? 0}`;
    expect(listIds(await twins.get('/api/providers?near=39.7,-105&limit=3'))).toEqual(created.slice(0, 3));
  });

  test.each([
    ['limit=0', 'limit'],
    ['limit=1001', 'limit'],
    ['limit=ten', 'limit'],
    ['limit=1.5', 'limit'],
    ['cursor=0', 'cursor'],
    ['cursor=abc', 'cursor'],
    ['cursor=99999999999999999999', 'cursor'],
    ['bbox=1,2,3', 'bbox'],
    ['bbox=a,b,c,d', 'bbox'],
    ['bbox=-105,41,-104,40', 'bbox'],
    ['bbox=-181,39,-104,40', 'bbox'],
    ['bbox=-105,39,-104,91', 'bbox'],
    ['bbox=1,2,3,4,5', 'bbox'],
    ['near=Denver', 'near'],
    ['near=91,0', 'near'],
    ['near=39.7', 'near'],
    ['near=1e1,2', 'near'],
    ['near=00000', 'near'],
    ['near=39.7,-105&bbox=-105,39,-104,40', 'near'],
    ['near=39.7,-105&cursor=5', 'near'],
  ])('%s is a 422 that names the field and says what to send', async (query, field) => {
    const answer = await app.get(`/api/providers?${query}`);
    expect(answer.status).toBe(422);
    const { errors }: { errors: Record<string, string> } = Object(answer.json());
    expect(Object.keys(errors)).toEqual([field]);
    expect(errors[field]).toMatch(/^(Enter|Use|We) .{10,}\.$/);
  });

  test('has the same parts for staff, with inactive providers', async () => {
    const headers = await getToken(app, ['providers:read']);
    const box = '/api/providers?status=all&bbox=-105,39,-104.9,40';
    const answer = await app.get(box, headers);
    expect(answer.json()).toEqual(
      getId('denver', 'closed').map((id) => expect.objectContaining({ id, email: expect.any(String) })),
    );
    expect(listIds(await app.get(box))).toEqual(getId('denver'));
    expect(listIds(await app.get('/api/providers?status=inactive&near=39,-105', headers))).toEqual(
      getId('closed'),
    );
    expect(listIds(await app.get('/api/providers?status=inactive&near=39,-105'))).toEqual([]);
  });
});

test('above 10,000 the list has pages, each with the next one’s link and the total', async () => {
  meets('P7.call.14 D.conformity.10 D.conformity.11');
  await using app = await testApp();
  await app.sql`
    insert into providers (name, email, zip_code, status, latitude, longitude)
    select 'Clinic ' || n, 'clinic@example.com', '80202', 't', 30 + n % 100 / 10.0, -100 + n / 1000.0
    from generate_series(1, 10001) n`;
  await expect.poll(async () => (await app.get('/api/providers')).headers['x-total-count']).toBe('10001');
  const everyId = Array.from({ length: 10_001 }, (_, at) => at + 1);
  const listed = await walk(app, '/api/providers');
  expect([listed.sizes.slice(0, 2), listed.ids]).toEqual([[1_000, 1_000], everyId]);
  const headers = await getToken(app, ['providers:read']);
  const first = await app.get('/api/providers?status=all', headers);
  expect(first.headers['x-total-count']).toBe('10001');
  expect(await walk(app, '/api/providers?status=all', headers)).toEqual({ ids: everyId, sizes: [10_000, 1] });
  const whole = await app.get('/trpc/providers.list?input=%7B%7D');
  expect([whole.status, whole.text]).toEqual([400, expect.stringContaining('/api/providers')]);
  const near = listIds(await app.get('/api/providers?near=35,-95&limit=1000'));
  expect(near).toHaveLength(1_000);
  for (const part of ['near=35,-95', 'near=80202', 'bbox=-100,30,-90,40'])
    expect(listIds(await app.get(`/api/providers?${part}`))).toHaveLength(50);
  const box = await walk(app, '/api/providers?bbox=-100,30,-99.8,40');
  expect([box.ids.length, box.sizes]).toEqual([200, [50, 50, 50, 50]]);
  const rows = await app.sql<{ latitude: number; longitude: number }[]>`
    select latitude::float8, longitude::float8 from providers
    join unnest(${near}::bigint[]) with ordinality as asked (id, place) using (id) order by place`;
  const miles = rows.map((row) => greatCircleMiles({ latitude: 35, longitude: -95 }, row));
  expect(miles.every((mile, at) => at === 0 || mile >= (miles[at - 1] ?? 0) - 1e-6)).toBe(true);
});

test('a network that asks for too many pages has to wait', async () => {
  await using app = await testApp();
  for (let page = 1; page < pagesPerMinute; page += 1)
    await app.services.providers.pageLimits.take('127.0.0.1');
  expect((await app.get('/api/providers?limit=1')).status).toBe(200);
  const refused = await app.get('/api/providers?near=80202');
  expect([refused.status, Number(refused.headers['retry-after']) > 0]).toEqual([429, true]);
  expect((await app.get('/api/providers')).status).toBe(200);
  const headers = await getToken(app, ['providers:read']);
  expect((await app.get('/api/providers?status=all&limit=1', headers)).status).toBe(200);
});

test('a network has 60 large parts of the map a minute, and its usual ones beside them', async () => {
  await using app = await testApp();
  const large = () => app.get('/api/providers?near=80202&limit=101');
  for (let part = 1; part <= largePartsPerMinute; part += 1) expect((await large()).status).toBe(200);
  const refused = await large();
  expect([refused.status, Number(refused.headers['retry-after']) > 0]).toEqual([429, true]);
  expect((await app.get('/api/providers?bbox=-105,39,-104,40&limit=1000')).status).toBe(429);
  for (const part of ['near=80202', 'bbox=-105,39,-104,40', 'near=39,-105&limit=100', 'limit=1000'])
    expect((await app.get(`/api/providers?${part}`)).status).toBe(200);
});

test('a large part is compressed and costs a batch too much, by both transports', async () => {
  await using app = await testApp();
  await app.sql`
    insert into providers (name, email, zip_code, status, latitude, longitude)
    select 'Clinic ' || n, 'clinic@example.com', '80202', 't', 39 + n / 1000.0, -105 from generate_series(1, 300) n`;
  const trpc = (input: object) => `/trpc/providers.list?input=${encodeURIComponent(JSON.stringify(input))}`;
  const rows: unknown[] = [];
  for (const path of ['/api/providers?near=80202&limit=300', trpc({ near: '80202', limit: 300 })]) {
    const plain = await app.get(path);
    expect([plain.status, plain.headers['content-encoding']]).toEqual([200, undefined]);
    const gzipped = await app.get(path, { 'accept-encoding': 'gzip' });
    expect(gzipped.headers['content-encoding']).toBe('gzip');
    expect(gzipped.headers.vary).toMatch(/Accept-Encoding/i);
    expect(gzipped.body.length).toBeLessThan(plain.body.length / 5);
    const body: unknown = JSON.parse(gunzipSync(gzipped.body).toString());
    expect(body).toEqual(plain.json());
    rows.push(Array.isArray(body) ? body : Object(body).result.data);
  }
  expect(rows[0]).toEqual(rows[1]);
  const batch = (...inputs: object[]) =>
    app.get(
      `/trpc/${inputs.map(() => 'providers.list').join(',')}?batch=1&input=${encodeURIComponent(JSON.stringify(Object.fromEntries(inputs.entries())))}`,
    );
  const refused = await batch({ near: '80202', limit: 101 });
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('costs 20 of at most 10')]);
  expect((await batch({ bbox: '-106,38,-104,41' }, { near: '80202', limit: 100 })).status).toBe(200);
  const bad = await app.get(trpc({ near: 'nowhere' }));
  expect([bad.status, bad.headers['cache-control']]).toEqual([422, 'no-store']);
});

test('a page of a narrow box ends after so many entries of the index', async () => {
  await using database = await testDb({ max: 1 });
  const { db, sql } = database;
  await sql`
    insert into providers (name, email, zip_code, status, latitude, longitude)
    select 'Clinic ' || n, 'clinic@example.com', '80202', 't', 30 + n / 100.0, -100 + n % 7
    from generate_series(1, 500) n`;
  const bbox = { west: -96.5, south: 30.5, east: -95.5, north: 34 };
  const isIn = (n: number): boolean => n >= 50 && n <= 400 && n % 7 === 4;
  const expected = Array.from({ length: 500 }, (_, at) => at + 1).filter(isIn);
  const found: number[] = [];
  const sizes: number[] = [];
  for (let cursor: number | null | undefined; cursor !== null;) {
    const page = await listActivePage(
      db,
      { limit: 10, bbox, ...(cursor === undefined ? {} : { cursor }) },
      40,
    );
    found.push(...page.rows.map(({ id }) => id));
    sizes.push(page.rows.length);
    cursor = page.next;
  }
  expect(found).toEqual(expected);
  expect(Math.max(...sizes)).toBeLessThan(10);
  expect((await listActivePage(db, { limit: 10, bbox })).rows.map(({ id }) => id)).toEqual(
    expected.slice(0, 10),
  );
});

test('boxes and the nearest are read by an index', async () => {
  // One connection, so that its statistics are current after each statement.
  await using database = await testDb({ max: 1 });
  const { db, sql } = database;
  await sql`
    insert into providers (name, email, zip_code, status, latitude, longitude)
    select 'Clinic ' || n, 'clinic@example.com', '80202', 't', 30 + n % 100 / 10.0, -100 + n / 1000.0
    from generate_series(1, 20000) n`;
  await sql`analyze providers`;
  // Rows, because planning a statement may look for an index's first entry.
  const readBy = async (index: string): Promise<[byIndex: number, scans: number]> => {
    await sql`select pg_stat_force_next_flush()`;
    const [row] = await sql<{ by_index: number; scans: number }[]>`
      select i.idx_tup_read::int as by_index, t.seq_scan::int as scans
      from pg_stat_user_indexes i join pg_stat_user_tables t using (relid) where i.indexrelname = ${index}`;
    return [row?.by_index ?? -1, row?.scans ?? -1];
  };
  for (const [index, part] of [
    ['providers_active_point_idx', { limit: 10, bbox: { west: -95.2, south: 34.9, east: -95, north: 35 } }],
    ['providers_active_location_idx', { limit: 10, near: { latitude: 35, longitude: -95 } }],
  ] as const) {
    const [readBefore, scansBefore] = await readBy(index);
    const { rows } = await listActivePage(db, part);
    expect(rows.length).toBeGreaterThan(3);
    const [read, scans] = await readBy(index);
    expect(read - readBefore).toBeGreaterThanOrEqual(rows.length);
    expect(scans).toBe(scansBefore);
  }
});

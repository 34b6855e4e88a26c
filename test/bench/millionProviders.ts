import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { Database } from '#server/db/connect.ts';
import { findNearestProvider } from '#server/features/matching/matchQueries.ts';
import { loadZipTable } from '#server/features/matching/zipTable.ts';
import { roundView } from '#shared/leads/geo.ts';
import { seededRandom } from '#scripts/sampleData/seededRandom.ts';
import type { ServerProcess } from '#test/support/serverProcess.ts';
import { query } from './anonymousRequests.ts';
import type { Figure } from './figure.ts';
import { percentile } from './load.ts';

const matches = 3000;
const requestsEach = 60;
const heapMax = 512;
const requestMsMax = 50;
/** What is made once after a start is made before the measurement. */
const warmUpRequests = 5;

const random = seededRandom(1);
const between = (low: number, high: number): number => low + random() * (high - low);

/** A map of 1,280 by 600 pixels somewhere in the continental states. */
function viewAt(zoom: number): string {
  const [longitude, latitude] = [between(-120, -75), between(30, 45)];
  const [width, height] = [(1_280 * 360) / (256 * 2 ** zoom), (600 * 270) / (256 * 2 ** zoom)];
  const box = {
    west: Math.max(-180, longitude - width / 2),
    east: Math.min(180, longitude + width / 2),
    south: latitude - height / 2,
    north: latitude + height / 2,
  };
  return query('providers.inView', { ...roundView(box, zoom), zoom });
}

/** Requests whose cost could grow with the number of providers, each to another place. */
function listRequests(count: number): Record<string, () => string> {
  const id = (): number => 1 + Math.floor(random() * count);
  const point = (): string => `${between(30, 45).toFixed(4)},${between(-120, -75).toFixed(4)}`;
  const box = (degrees: number): string => {
    const [west, south] = [between(-120, -75), between(30, 45)];
    return [west, south, west + degrees, south + degrees].map((edge) => edge.toFixed(4)).join(',');
  };
  return {
    'the front page': () => '/',
    'a microsite': () => `/?providerId=${id()}`,
    'the map’s page': () => '/map',
    'the sitemap’s index': () => '/sitemap.xml',
    'a part of the sitemap': () => `/sitemap.xml?part=${Math.floor(id() / 10_000)}`,
    'a provider': () => `/api/providers/${id()}`,
    'the list’s first page': () => '/api/providers',
    'a page of 1,000': () => `/api/providers?cursor=${id()}&limit=1000`,
    'the nearest 100': () => `/api/providers?near=${point()}&limit=100`,
    'the nearest 1,000': () => `/api/providers?near=${point()}&limit=1000`,
    'a box of a town': () => `/api/providers?bbox=${box(0.2)}&limit=100`,
    'a box of a state': () => `/api/providers?bbox=${box(5)}&limit=1000`,
    'a box of the country': () => '/api/providers?bbox=-125,24,-66,50&limit=1000',
    'a narrow box of the country': () => '/api/providers?bbox=-100.001,24,-100,50&limit=1000',
    ...Object.fromEntries(
      [4, 6, 8, 9, 10, 11, 13, 16].map((zoom) => [`a map at zoom ${zoom}`, () => viewAt(zoom)]),
    ),
  };
}

/** Milliseconds until the whole response is here. */
async function getTime(server: ServerProcess, path: string, count: number): Promise<number> {
  const startedAt = performance.now();
  const response = await fetch(`http://localhost:${server.port}${path}`, {
    // No network reaches its limit.
    headers: { 'x-forwarded-for': `11.${(count >> 8) % 256}.${count % 256}.1` },
  });
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`${path} answers ${response.status}`);
  return performance.now() - startedAt;
}

async function heapMegabytes(server: ServerProcess): Promise<number> {
  const text = await (await fetch(`http://localhost:${server.port}/metrics`)).text();
  const bytes = Number(/^nodejs_heap_size_used_bytes (\S+)$/m.exec(text)?.[1]);
  return bytes / 1e6;
}

/** The largest heap until `isOver`, looked at ten times a second. */
async function watchHeap(server: ServerProcess, isOver: () => boolean): Promise<number> {
  let most = 0;
  while (!isOver()) {
    most = Math.max(most, await heapMegabytes(server));
    await delay(100);
  }
  return most;
}

async function requestFigures(server: ServerProcess, count: number): Promise<Figure[]> {
  const figures: Figure[] = [];
  let sent = 0;
  for (const [name, path] of Object.entries(listRequests(count))) {
    for (let round = 0; round < warmUpRequests; round += 1) await getTime(server, path(), sent++);
    const times: number[] = [];
    for (let round = 0; round < requestsEach; round += 1) times.push(await getTime(server, path(), sent++));
    const sorted = times.toSorted((a, b) => a - b);
    figures.push({
      name: `${name} among ${count.toLocaleString('en')}, p95`,
      measured: percentile(sorted, 0.95),
      baseline: null,
      unit: 'ms',
      against: `one after the other; median ${percentile(sorted, 0.5).toFixed(1)} ms, longest ${percentile(sorted, 1).toFixed(1)} ms`,
      bar: { of: 'measured', sign: '<=', value: requestMsMax },
    });
  }
  return figures;
}

/** The nearest of the providers that are there. */
async function matchAmong(db: Database, count: number): Promise<Figure> {
  const zips = [...loadZipTable().entries()].filter(([key]) => key.length === 5);
  const nextRandom = seededRandom(count);
  const points = Array.from({ length: matches }, () => zips[Math.floor(nextRandom() * zips.length)]);
  const { times, idle } = await timed(
    points,
    async (entry) => {
      if (entry !== undefined) await findNearestProvider(db, { latitude: entry[1], longitude: entry[2] });
    },
    async () => {
      await db.execute(sql`select 1`);
    },
  );
  return {
    name: `match among ${count.toLocaleString('en')}, p99`,
    measured: percentile(times, 0.99),
    baseline: percentile(idle, 0.99),
    unit: 'ms',
    against: `only a round trip ("select 1"), p99; medians ${percentile(times, 0.5).toFixed(2)} and ${percentile(idle, 0.5).toFixed(2)} ms`,
    bar: { of: 'measured', sign: '<=', value: 2 },
  };
}

/** Adds providers until there are `count`. */
async function addProviders(db: Database, count: number): Promise<void> {
  // Scattered around random ZIP codes, as providers are: dense where people live.
  await db.execute(sql`
    insert into providers (name, email, zip_code, latitude, longitude, status)
    select 'Clinic ' || n, 'clinic@example.com', z.zip,
      greatest(-90, least(90, z.latitude + (random() - 0.5) * 0.3)), greatest(-180, least(180, z.longitude + (random() - 0.5) * 0.3)), 't'
    from generate_series((select count(*) + 1 from providers), ${count}::int) n
    join lateral (select * from zip_centroids_numbered where number = 1 + (hashint4(n::int)::bigint & 2147483647) % (select count(*) from zip_centroids_numbered)) z on true`);
  await db.execute(sql`vacuum analyze providers`);
  // Or the writing out of all those rows would be measured too.
  await db.execute(sql`checkpoint`);
}

/** A numbered copy, so that picking a random ZIP is an index look-up. */
async function prepareMatching(db: Database): Promise<void> {
  await db.execute(
    sql`create table if not exists zip_centroids_numbered as select row_number() over (order by zip)::bigint as number, zip, latitude, longitude from zip_centroids where length(zip) = 5`,
  );
  await db.execute(
    sql`create unique index if not exists zip_centroids_numbered_number on zip_centroids_numbered (number)`,
  );
  await db.execute(sql`analyze zip_centroids_numbered`);
}

/**
 * Sorted milliseconds of each call, and of the idle one after it, so that both meet the same machine; after a warm-up
 * that has touched as much of the index as they will.
 */
async function timed<T>(
  items: T[],
  call: (item: T) => Promise<void>,
  idleCall: () => Promise<void>,
): Promise<{ times: number[]; idle: number[] }> {
  for (const item of items.toReversed()) await call(item);
  const times: number[] = [];
  const idle: number[] = [];
  for (const item of items) {
    const startedAt = performance.now();
    await call(item);
    const calledAt = performance.now();
    await idleCall();
    times.push(calledAt - startedAt);
    idle.push(performance.now() - calledAt);
  }
  const ascending = (a: number, b: number) => a - b;
  return { times: times.toSorted(ascending), idle: idle.toSorted(ascending) };
}

interface MillionOptions {
  db: Database;
  count: number;
  startServer: () => Promise<ServerProcess>;
  say: (line: string) => void;
}

/** (h) A million providers: the requests that anyone may send, matching, and the heap while providers change. */
export async function millionProviders(options: MillionOptions): Promise<Figure[]> {
  const { db, count, say } = options;
  say(`adding ${count.toLocaleString('en')} providers`);
  await prepareMatching(db);
  await addProviders(db, count);
  const figures = [await matchAmong(db, count)];
  await using server = await options.startServer();
  let isOver = false;
  const heap = watchHeap(server, () => isOver);
  try {
    say('requests that anyone may send');
    figures.push(...(await requestFigures(server, count)));
    say('changes of 1,000 providers at a time');
    for (let first = 1; first <= Math.min(count, 50_000); first += 1_000)
      await db.$client`
        update providers set phone = '555-0100' where id between ${first} and ${first + 999}`;
    for (let round = 0; round < requestsEach; round += 1) await getTime(server, '/api/providers', round);
  } finally {
    isOver = true;
    await heap;
  }
  figures.push({
    name: `heap with ${count.toLocaleString('en')} providers, largest`,
    measured: await heap,
    baseline: null,
    unit: 'MB',
    against: `during all of these requests and 50 changes of 1,000 providers; ${Math.round(server.residentMegabytes())} MB resident at the end`,
    bar: { of: 'measured', sign: '<=', value: heapMax },
  });
  return figures;
}

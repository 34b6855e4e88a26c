import { sql } from 'drizzle-orm';
import type { Database } from '#server/db/connect.ts';
import { findNearestProvider } from '#server/features/matching/matchQueries.ts';
import { loadZipTable } from '#server/features/matching/zipTable.ts';
import type { Figure } from './figure.ts';
import { percentile } from './load.ts';

const matches = 3000;

/**
 * (c) The nearest active provider among 1,000, 100,000 and 1,000,000, from random ZIP codes; the baseline is a round trip
 * that does nothing.
 */
export async function matching(db: Database, say: (line: string) => void): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const count of [1_000, 100_000, 1_000_000]) {
    say(`adding providers up to ${count.toLocaleString('en')}`);
    await addProviders(db, count);
    figures.push(await matchAmong(db, count));
  }
  return figures;
}

/** The nearest of the providers that are there. */
export async function matchAmong(db: Database, count: number): Promise<Figure> {
  const zips = [...loadZipTable().entries()].filter(([key]) => key.length === 5);
  const random = seeded(count);
  const points = Array.from({ length: matches }, () => zips[Math.floor(random() * zips.length)]);
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
export async function addProviders(db: Database, count: number): Promise<void> {
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
export async function prepareMatching(db: Database): Promise<void> {
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

/** mulberry32: the same points in every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

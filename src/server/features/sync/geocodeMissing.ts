import { z } from 'zod';
import { type GeoPoint, greatCircleMiles } from '#shared/leads/geo.ts';
import { readBody } from '#server/security/readBody.ts';
import { traceHeaders } from '#server/log.ts';
import { sql } from 'drizzle-orm';
import pLimit from 'p-limit';
import type { Queryable } from '#server/db/connect.ts';
import { readRows } from '#server/db/readRows.ts';
import { geocodedAddresses } from '#server/db/schema/index.ts';
import type { Services } from '#server/services.ts';
import { milesFromZipMax } from './coordinates.ts';

/** Finds an address's coordinates; null if the geocoder does not know or accept it. Throws if the geocoder fails. */
type Geocoder = (address: string) => Promise<GeoPoint | null>;

const timeoutMs = 10_000;
const responseBytesMax = 1024 * 1024;

/** The US Census Bureau's response, best match first; x is the longitude. */
const censusAnswer = z.object({
  result: z.object({
    addressMatches: z.array(
      z.object({
        coordinates: z.object({ x: z.number().min(-180).max(180), y: z.number().min(-90).max(90) }),
      }),
    ),
  }),
});

/** Whether the address is the problem and not the service: a retry would fail again, ahead of all others. */
function refusesAddress(status: number): boolean {
  // Other statuses are about the service itself: its URL, its key, its limits.
  return status === 400 || status === 413 || status === 414 || status === 422;
}

/** A geocoder at this URL, compatible with the Census Bureau's `locations/onelineaddress`. */
function createCensusGeocoder(url: string): Geocoder {
  return async (address) => {
    const asked = new URL(url);
    asked.searchParams.set('address', address);
    asked.searchParams.set('format', 'json');
    if (!asked.searchParams.has('benchmark')) asked.searchParams.set('benchmark', 'Public_AR_Current');
    const response = await fetch(asked, {
      headers: traceHeaders(),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const body = await readBody(response.body, { bytesMax: responseBytesMax });
    if (refusesAddress(response.status)) return null;
    if (!response.ok) throw new Error(`the geocoder answers ${response.status}`);
    const [best] = censusAnswer.parse(JSON.parse(new TextDecoder().decode(body))).result.addressMatches;
    return best === undefined ? null : { latitude: best.coordinates.y, longitude: best.coordinates.x };
  };
}

const askedAtOnce = 4;
/** Addresses per run. Later runs do the rest. */
const askedMax = 2_000;
const askingMaxMs = 120_000;
/** After this many failures, the geocoder is not called again in this run. */
const failuresMax = 5;

const unlocated = z.object({ address: z.string(), zipCode: z.string() });

/** An address on one line with its ZIP code, as it is requested and stored, of a row with this alias. */
const toOneLine = (alias: string) =>
  sql.raw(
    `lower(regexp_replace(btrim(case when strpos(${alias}.address, ${alias}.zip_code) > 0 then ${alias}.address else ${alias}.address || ', ' || ${alias}.zip_code end), '\\s+', ' ', 'g'))`,
  );
const oneLine = toOneLine('i');

/** Copies known coordinates to staged providers without any. */
export async function fillFromCache(db: Queryable): Promise<void> {
  await db.execute(sql`
    update sync_incoming i set latitude = g.latitude, longitude = g.longitude from geocoded_addresses g
    where i.state = 'row' and i.latitude is null and i.address is not null and g.latitude is not null and g.address = ${oneLine}`);
}

/**
 * Finds coordinates for staged providers without any, if a geocoder is configured: one request per address, a few at a
 * time, for two minutes at most. A failure is retried in another run and never fails this one.
 */
export async function geocodeMissing(
  { config, log, zipTable }: Pick<Services, 'config' | 'log' | 'zipTable'>,
  db: Queryable,
): Promise<void> {
  if (config.geocoderUrl !== null) {
    const asked = await readRows(db, unlocated)`
      select ${oneLine} as address, min(i.zip_code) as "zipCode" from sync_incoming i
      where i.state = 'row' and i.latitude is null and i.address is not null
        and not exists (select from geocoded_addresses g where g.address = ${oneLine})
      group by 1 order by 1 limit ${askedMax}`;
    const near = (zip: string, point: GeoPoint | null): GeoPoint | null => {
      const center = zipTable.lookup(zip);
      return point !== null && center !== null && greatCircleMiles(point, center) <= milesFromZipMax
        ? point
        : null;
    };
    const failures = await ask(db, createCensusGeocoder(config.geocoderUrl), asked, near);
    if (failures > 0)
      log.warn(
        { event: 'geocoder.failed', failures },
        'the geocoder failed; clinics without coordinates stand at their ZIP code',
      );
  }
  await fillFromCache(db);
}

/** Requests each address and stores the result. Returns how many requests failed. */
async function ask(
  db: Queryable,
  geocode: Geocoder,
  addresses: readonly z.output<typeof unlocated>[],
  judge: (zip: string, point: GeoPoint | null) => GeoPoint | null,
): Promise<number> {
  const limit = pLimit(askedAtOnce);
  const until = performance.now() + askingMaxMs;
  let failures = 0;
  await limit.map(addresses, async ({ address, zipCode }) => {
    if (failures >= failuresMax || performance.now() > until) return;
    try {
      const point = judge(zipCode, await geocode(address));
      const row = { address, latitude: point?.latitude ?? null, longitude: point?.longitude ?? null };
      await db.insert(geocodedAddresses).values(row).onConflictDoNothing();
    } catch {
      failures += 1;
    }
  });
  return failures;
}

const purgedPerBatch = 5_000;

/** Deletes a batch of old results whose address no provider has. Safe in any number of processes. Returns how many. */
export async function purgeGeocodedAddresses(db: Queryable, before: Date): Promise<number> {
  const { count } = await db.execute(sql`
    delete from geocoded_addresses where address in (
      select g.address from geocoded_addresses g
      where g.asked_at < ${before.toISOString()}::timestamptz and not exists (
        select from providers p where p.address is not null and ${toOneLine('p')} = g.address)
      limit ${purgedPerBatch})`);
  return count;
}

import { eq, sql } from 'drizzle-orm';
import type { Database } from '../../db/connect.ts';
import { providers } from '../../db/schema/index.ts';
import {
  chordMetresToMiles,
  earthCube,
  earthdistanceDiameterMetres,
  earthRadiusMiles,
  type GeoPoint,
} from './distance.ts';

interface NearestProvider {
  id: number;
  distanceMiles: number;
}

export interface RatedProvider extends NearestProvider {
  isWithinRadius: boolean;
}

/** Straight-line metres through the sphere to the point asked about (`earthCube`); the operator the GiST index can walk in order. */
const chordMetres = 'location <-> $1::cube';

export const canBeMatched = "status = 't' and location is not null and not paused";

/**
 * A clinic's own radius as the chord it spans: the measure the index knows. A clinic exactly that far away is near enough, so a millimetre is
 * left for what both sides round off.
 */
export const ownRadiusChord = `${earthdistanceDiameterMetres}::float8 * sin(least(pi() / 2, match_radius_miles / ${2 * earthRadiusMiles}::float8)) + 0.001`;

/**
 * How near is looked at first. The boxes of the index's pages overlap, so that a search reads some fifty of them at a million clinics and would
 * measure the way to each clinic there; what lies outside a box around the point is passed over sooner. Where nobody is that near, clinics are
 * few to a page's reach, and looking twice costs little.
 */
const nearbyMetres = 10_000;
const isNearby = `location <@ cube_enlarge($1::cube, ${nearbyMetres}, 3) and ${chordMetres} <= ${nearbyMetres}`;

/** The index is walked by distance alone, and ties are sorted after: Postgres 15 can't walk it for an order by distance and id. */
const nearestWhere = (condition: string, hasOwnRadius: boolean): string =>
  `(select id, metres, ${hasOwnRadius} as has_own_radius from (
    select id, ${chordMetres} as metres from providers where ${canBeMatched} and ${condition} order by ${chordMetres} fetch first 1 row with ties
  ) nearest order by metres, id limit 1)`;

/**
 * The nearest without a radius of its own, and the nearest of those whose own radius reaches the point: one round trip. The first is looked for
 * nearby, then anywhere: Postgres runs the second part only when the first found none, and were it to run it first, the answer would be the same.
 * Text, as drizzle would make each limit a parameter: not knowing it, Postgres plans such a statement anew every time, prepared or not.
 */
const nearestStatement = `
  (${nearestWhere(`match_radius_miles is null and ${isNearby}`, false)} union all ${nearestWhere('match_radius_miles is null', false)} limit 1)
  union all ${nearestWhere(`match_radius_miles is not null and ${chordMetres} <= ${ownRadiusChord}`, true)}`;

interface NearestRow {
  /** As Postgres writes a bigint. */
  id: string;
  metres: number;
  has_own_radius: boolean;
}

/**
 * The active provider nearest to a point that takes leads from there, exactly, on the sphere; of those equally near the lowest id. Paused ones
 * are passed over, and so are those whose own radius doesn't reach the point. When there is none, `isWithinRadius` is false and it is the nearest
 * of those without a radius of their own, for the reason; null when there is none of these either. Searches of the partial GiST indexes
 * `providers_active_location_idx` and `providers_own_radius_idx`, which need the conditions in their own words. Planned once a connection:
 * planning would cost more than the search.
 */
export async function findNearestProvider(
  db: Database,
  point: GeoPoint,
  radiusMiles = Number.POSITIVE_INFINITY,
): Promise<RatedProvider | null> {
  const found = await db.$client.unsafe<NearestRow[]>(nearestStatement, [earthCube(point)], {
    prepare: true,
  });
  return bestOf(
    found.map(({ id, metres, has_own_radius }) => ({
      id: Number(id),
      chordMetres: metres,
      hasOwnRadius: has_own_radius,
    })),
    radiusMiles,
  );
}

/** A provider as a search finds it: metres straight through the sphere, and whether its own radius is what reaches the point. */
interface FoundProvider {
  id: number;
  chordMetres: number;
  hasOwnRadius: boolean;
}

/** The nearest of those that take leads from there, else the nearest at all; null of none. */
export function bestOf(found: readonly FoundProvider[], radiusMiles: number): RatedProvider | null {
  const rated = found.map(({ id, chordMetres: metres, hasOwnRadius }) => {
    const distanceMiles = chordMetresToMiles(metres);
    return { id, metres, distanceMiles, isWithinRadius: hasOwnRadius || distanceMiles <= radiusMiles };
  });
  const [best] = rated.toSorted(
    (a, b) => Number(b.isWithinRadius) - Number(a.isWithinRadius) || a.metres - b.metres || a.id - b.id,
  );
  if (best === undefined) return null;
  const { id, distanceMiles, isWithinRadius } = best;
  return { id, distanceMiles, isWithinRadius };
}

/** Miles from a point to where a provider stands, active or not; null when it is unknown or can't be placed. */
export async function findProviderDistance(
  db: Database,
  providerId: number,
  point: GeoPoint,
): Promise<number | null> {
  const metres = sql<
    number | null
  >`${providers.location} <-> ll_to_earth(${point.latitude}::float8, ${point.longitude}::float8)`;
  const [row] = await db.select({ metres }).from(providers).where(eq(providers.id, providerId));
  return row === undefined || row.metres === null ? null : chordMetresToMiles(row.metres);
}

import { and, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/pg-core';
import type { Database } from '../../db/connect.ts';
import { providers } from '../../db/schema/index.ts';
import {
  chordMetresToMiles,
  earthdistanceDiameterMetres,
  earthRadiusMiles,
  type GeoPoint,
} from './distance.ts';

export interface NearestProvider {
  id: number;
  distanceMiles: number;
}

export interface RatedProvider extends NearestProvider {
  isWithinRadius: boolean;
}

/** Straight-line metres through the sphere to the point given; the operator the GiST index can walk in order. */
const chordMetres = sql<number>`${providers.location} <-> ll_to_earth(${sql.placeholder('latitude')}::float8, ${sql.placeholder('longitude')}::float8)`;

export const canBeMatched = sql`${providers.status} = 't' and ${providers.location} is not null and not ${providers.paused}`;

/**
 * A clinic's own radius as the chord it spans: the measure the index knows. A clinic exactly that far away is near enough, so a millimetre is
 * left for what both sides round off.
 */
export const ownRadiusChord = sql<number>`(${earthdistanceDiameterMetres}::float8 * sin(least(pi() / 2, ${providers.matchRadiusMiles} / ${2 * earthRadiusMiles}::float8)) + 0.001)`;

/** The nearest without a radius of its own, and the nearest of those whose own radius reaches the point: one round trip. */
function prepareNearest(db: Database) {
  const nearest = db
    .select({ id: providers.id, chordMetres, hasOwnRadius: sql<boolean>`false` })
    .from(providers)
    .where(and(canBeMatched, isNull(providers.matchRadiusMiles)))
    .orderBy(chordMetres, providers.id)
    .limit(1);
  const reaching = db
    .select({ id: providers.id, chordMetres, hasOwnRadius: sql<boolean>`true` })
    .from(providers)
    .where(and(canBeMatched, isNotNull(providers.matchRadiusMiles), sql`${chordMetres} <= ${ownRadiusChord}`))
    .orderBy(chordMetres, providers.id)
    .limit(1);
  return unionAll(nearest, reaching).prepare('nearest_provider');
}

/** One prepared statement a connection pool: planning would cost more than the search. */
const nearestStatements = new WeakMap<Database, ReturnType<typeof prepareNearest>>();

/**
 * The active provider nearest to a point that takes leads from there, exactly, on the sphere; of those equally near the lowest id. Paused ones
 * are passed over, and so are those whose own radius doesn't reach the point. When there is none, `isWithinRadius` is false and it is the nearest
 * of those without a radius of their own, for the reason; null when there is none of these either. Searches of the partial GiST indexes
 * `providers_active_location_idx` and `providers_own_radius_idx`, which need the conditions in their own words.
 */
export async function findNearestProvider(
  db: Database,
  point: GeoPoint,
  radiusMiles = Number.POSITIVE_INFINITY,
): Promise<RatedProvider | null> {
  let statement = nearestStatements.get(db);
  if (statement === undefined) {
    statement = prepareNearest(db);
    nearestStatements.set(db, statement);
  }
  const found = await statement.execute({ latitude: point.latitude, longitude: point.longitude });
  return bestOf(found, radiusMiles);
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

import { eq, sql } from 'drizzle-orm';
import type { Database } from '../../db/connect.ts';
import { providers } from '../../db/schema/index.ts';
import { chordMetresToMiles, type GeoPoint } from './distance.ts';

export interface NearestProvider {
  id: number;
  distanceMiles: number;
}

/** Straight-line metres through the sphere to the point given; the operator the GiST index can walk in order. */
const chordMetres = sql<number>`${providers.location} <-> ll_to_earth(${sql.placeholder('latitude')}::float8, ${sql.placeholder('longitude')}::float8)`;

function prepareNearest(db: Database) {
  return db
    .select({ id: providers.id, chordMetres })
    .from(providers)
    .where(sql`${providers.status} = 't' and ${providers.location} is not null`)
    .orderBy(chordMetres, providers.id)
    .limit(1)
    .prepare('nearest_provider');
}

/** One prepared statement a connection pool: planning would cost more than the search. */
const nearestStatements = new WeakMap<Database, ReturnType<typeof prepareNearest>>();

/**
 * The active provider nearest to a point, exactly, on the sphere; of those equally near the lowest id. Null when no active provider can be
 * placed. A search of the partial GiST index `providers_active_location_idx`, which needs the condition in the index's own words.
 */
export async function findNearestProvider(db: Database, point: GeoPoint): Promise<NearestProvider | null> {
  let statement = nearestStatements.get(db);
  if (statement === undefined) {
    statement = prepareNearest(db);
    nearestStatements.set(db, statement);
  }
  const [nearest] = await statement.execute({ latitude: point.latitude, longitude: point.longitude });
  return nearest === undefined
    ? null
    : { id: nearest.id, distanceMiles: chordMetresToMiles(nearest.chordMetres) };
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

import { and, isNotNull, isNull, notInArray, type SQL, sql } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/pg-core';
import type { Queryable } from '../../db/connect.ts';
import { providers } from '../../db/schema/index.ts';
import type { GeoPoint } from './distance.ts';
import { bestOf, canBeMatched, ownRadiusChord, type RatedProvider } from './matchQueries.ts';

interface ExceptRequest {
  radiusMiles: number;
  /** Ids of clinics that are passed over. */
  except: readonly number[];
}

/**
 * What `findNearestProvider` answers, with some clinics passed over, and within a transaction where it must be. Planned anew each time: it is asked
 * for a lead that comes back, not for each that comes.
 */
export async function findNearestExcept(
  db: Queryable,
  { latitude, longitude }: GeoPoint,
  { radiusMiles, except }: ExceptRequest,
): Promise<RatedProvider | null> {
  const chordMetres = sql<number>`${providers.location} <-> ll_to_earth(${latitude}::float8, ${longitude}::float8)`;
  const nearest = (hasOwnRadius: SQL<boolean>, which: SQL | undefined) =>
    db
      .select({ id: providers.id, chordMetres, hasOwnRadius })
      .from(providers)
      .where(and(sql.raw(canBeMatched), which, notInArray(providers.id, [...except])))
      .orderBy(chordMetres, providers.id)
      .limit(1);
  const reaches = and(
    isNotNull(providers.matchRadiusMiles),
    sql`${chordMetres} <= ${sql.raw(ownRadiusChord)}`,
  );
  const found = await unionAll(
    nearest(sql<boolean>`false`, isNull(providers.matchRadiusMiles)),
    nearest(sql<boolean>`true`, reaches),
  );
  return bestOf(found, radiusMiles);
}

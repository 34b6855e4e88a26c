import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Queryable } from '../../db/connect.ts';
import { earthCube, type GeoPoint } from './distance.ts';
import { bestOf, canBeMatched, ownRadiusChord, type RatedProvider } from './matchQueries.ts';

interface ExceptRequest {
  radiusMiles: number;
  /** Ids of clinics that are passed over. */
  except: readonly number[];
}

const foundRow = z.object({ id: z.string(), metres: z.number(), has_own_radius: z.boolean() });

/**
 * What `findNearestProvider` answers, with some clinics passed over, and within a transaction where it must be. Planned anew each time: it is asked
 * for a lead that comes back, not for each that comes.
 */
export async function findNearestExcept(
  db: Queryable,
  point: GeoPoint,
  { radiusMiles, except }: ExceptRequest,
): Promise<RatedProvider | null> {
  const metres = sql`location <-> ${earthCube(point)}::cube`;
  const nearest = (condition: SQL, hasOwnRadius: boolean): SQL => sql`(
    select id, ${metres} as metres, ${hasOwnRadius}::boolean as has_own_radius from providers
    where ${sql.raw(canBeMatched)} and ${condition} and id <> all (${sql.param(except)}::bigint[]) order by ${metres}, id limit 1)`;
  const found = await db.execute(sql`
    ${nearest(sql`match_radius_miles is null`, false)} union all
    ${nearest(sql`match_radius_miles is not null and ${metres} <= ${sql.raw(ownRadiusChord)}`, true)}`);
  return bestOf(z.array(foundRow).parse(found), radiusMiles);
}

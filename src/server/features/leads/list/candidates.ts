import { and, asc, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { candidate } from '#shared/admin/leadDetail.ts';
import { candidatesMax } from '#shared/admin/leadActions.ts';
import type { Database } from '#server/db/connect.ts';
import { providers } from '#server/db/schema/index.ts';
import { chordMetresToMiles, type GeoPoint } from '../../matching/distance.ts';
import { searchConditions } from './searchConditions.ts';

export type Candidate = z.output<typeof candidate>;

const searchedText = sql`(' ' || lower(${providers.name}) || ' ' || lower(coalesce(${providers.practiceName}, '')) || ' ' || lower(${providers.zipCode}) || ' ')`;

interface CandidateRequest {
  /** The lead's location; null if its ZIP is unknown. */
  origin: GeoPoint | null;
  search: string | undefined;
}

/** Up to fifty active providers, also paused, by exact distance from a lead's ZIP; those without a location last. */
export async function listCandidates(
  db: Database,
  { origin, search }: CandidateRequest,
): Promise<Candidate[]> {
  const searched = searchConditions(search, searchedText, providers.id);
  const placed = origin === null ? [] : await listPlaced(db, origin, searched);
  if (placed.length === candidatesMax) return placed;
  const unplaced = await db
    .select({ id: providers.id, name: providers.name, zipCode: providers.zipCode })
    .from(providers)
    .where(
      and(eq(providers.status, 't'), origin === null ? undefined : isNull(providers.location), ...searched),
    )
    .orderBy(asc(sql`lower(${providers.name})`), asc(providers.id))
    .limit(candidatesMax - placed.length);
  return [...placed, ...unplaced.map((row) => ({ ...row, miles: null }))];
}

async function listPlaced(db: Database, origin: GeoPoint, searched: SQL[]): Promise<Candidate[]> {
  // Straight-line meters through the sphere: the order of the GiST index.
  const chordMetres = sql<number>`${providers.location} <-> ll_to_earth(${origin.latitude}::float8, ${origin.longitude}::float8)`;
  const rows = await db
    .select({ id: providers.id, name: providers.name, zipCode: providers.zipCode, chordMetres })
    .from(providers)
    .where(and(eq(providers.status, 't'), isNotNull(providers.location), ...searched))
    .orderBy(chordMetres, providers.id)
    .limit(candidatesMax);
  return rows.map(({ chordMetres: metres, ...row }) => ({ ...row, miles: chordMetresToMiles(metres) }));
}

import { and, asc, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { type candidate, candidatesMax } from '#shared/admin/adminLeads.ts';
import type { Database } from '#server/db/connect.ts';
import { providers } from '#server/db/schema/index.ts';
import { chordMetresToMiles, type GeoPoint } from '../matching/distance.ts';
import { searchConditions } from './searchConditions.ts';

export type Candidate = z.output<typeof candidate>;

const searchedText = sql`(' ' || lower(${providers.name}) || ' ' || lower(coalesce(${providers.practiceName}, '')) || ' ' || lower(${providers.zipCode}) || ' ')`;

interface CandidateRequest {
  /** The lead's place; null when its ZIP can't be placed. */
  origin: GeoPoint | null;
  search: string | undefined;
}

/**
 * Active clinics a lead may be given to, paused ones too, nearest to the lead's ZIP first, fifty at most; those that can't be placed come last,
 * by name. Distances are exact, along the ground.
 */
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
  // Straight-line metres through the sphere, in whose order the GiST index can be walked.
  const chordMetres = sql<number>`${providers.location} <-> ll_to_earth(${origin.latitude}::float8, ${origin.longitude}::float8)`;
  const rows = await db
    .select({ id: providers.id, name: providers.name, zipCode: providers.zipCode, chordMetres })
    .from(providers)
    .where(and(eq(providers.status, 't'), isNotNull(providers.location), ...searched))
    .orderBy(chordMetres, providers.id)
    .limit(candidatesMax);
  return rows.map(({ chordMetres: metres, ...row }) => ({ ...row, miles: chordMetresToMiles(metres) }));
}

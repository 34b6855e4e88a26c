import { eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Queryable } from '#server/db/connect.ts';
import { type LeadRow, providers } from '#server/db/schema/index.ts';
import { AppError } from '#server/errors.ts';
import { type GeoPoint, greatCircleMiles } from '../matching/distance.ts';
import type { ZipTable } from '../matching/zipTable.ts';
import { placeLabel, placeOfZip } from './leadOrigin.ts';

/** A provider that leads may be assigned to. */
export interface Assignable {
  id: number;
  /** Its location; null if unknown. */
  place: GeoPoint | null;
}

/**
 * Locks a provider's status until the transaction ends. Throws UNPROCESSABLE_CONTENT for an unknown or inactive
 * provider.
 */
export async function lockActiveProvider(tx: Queryable, id: number): Promise<Assignable> {
  const [provider] = await tx
    .select({
      status: providers.status,
      latitude: sql<number | null>`latitude(${providers.location})`,
      longitude: sql<number | null>`longitude(${providers.location})`,
    })
    .from(providers)
    .where(eq(providers.id, id))
    .for('share');
  if (provider?.status !== 't') {
    const message = provider === undefined ? 'There is no such provider.' : 'This provider is inactive.';
    throw new AppError('UNPROCESSABLE_CONTENT', message, { fields: { providerId: message } });
  }
  const { latitude, longitude } = provider;
  return { id, place: latitude === null || longitude === null ? null : { latitude, longitude } };
}

interface Assignment {
  reason: string;
  miles: number | null;
}

/** The provider's distance from a lead's ZIP, and the reason for the assignment as a sentence for staff. */
export function assignmentOf(
  provider: Assignable,
  zipCode: string,
  { by, zipTable }: { by: string; zipTable: ZipTable },
): Assignment {
  const origin = placeOfZip(zipTable, zipCode);
  if (origin === null || provider.place === null) return { reason: `Assigned by ${by}.`, miles: null };
  const miles = greatCircleMiles(origin, provider.place);
  const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  const away = `${miles.toLocaleString('en-US', digits)} miles from the centre of ${placeLabel(zipCode, origin)}`;
  return { reason: `Assigned by ${by}, ${away}.`, miles };
}

/** The audit entry's detail of an assignment: what it changed, for the lead's history. */
export const assignmentDetail = z.object({
  /** Null: no provider was found. */
  providerId: z.number().nullable(),
  miles: z.number().nullable(),
  before: z.object({
    providerId: z.number().nullable(),
    method: z.string(),
    reason: z.string(),
    miles: z.number().nullable(),
  }),
});
export type AssignmentDetail = z.infer<typeof assignmentDetail>;

/** The detail of a move of a lead to a provider, or to none. */
export function assignmentDetailOf(
  lead: Pick<LeadRow, 'providerId' | 'matchMethod' | 'matchReason' | 'matchDistanceMiles'>,
  { providerId, miles }: Pick<AssignmentDetail, 'providerId' | 'miles'>,
): AssignmentDetail {
  return {
    providerId,
    miles,
    before: {
      providerId: lead.providerId,
      method: lead.matchMethod,
      reason: lead.matchReason,
      miles: lead.matchDistanceMiles,
    },
  };
}

import { eq, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Queryable } from '#server/db/connect.ts';
import { type LeadRow, providers } from '#server/db/schema/index.ts';
import { AppError } from '#server/errors.ts';
import { type GeoPoint, greatCircleMiles } from '../matching/distance.ts';
import type { ZipTable } from '../matching/zipTable.ts';
import { placeLabel, placeOfZip } from './leadOrigin.ts';

/** A clinic that leads may be given to. */
export interface Assignable {
  id: number;
  /** Where it stands; null when it can't be placed. */
  place: GeoPoint | null;
}

/** Locked against a change of its status until the transaction ends. Throws UNPROCESSABLE_CONTENT unless it is there and active. */
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

/** How far the clinic is from a lead's ZIP, and why it has the lead, as a sentence for staff. */
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

/** What the audit log keeps of an assignment: what it changed, for the lead's history. Older lines are read leniently. */
export const assignmentDetail = z.object({
  /** Null: nobody was found. */
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

/** What the log is told of a lead that goes from where it was to a clinic, or to none. */
export function assignmentTold(
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

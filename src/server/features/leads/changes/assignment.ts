import { and, asc, eq, inArray, isNotNull, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Queryable } from '#server/db/connect.ts';
import { consentRecords, type LeadRow, leads, providers } from '#server/db/schema/index.ts';
import { AppError } from '#server/errors.ts';
import { type GeoPoint, greatCircleMiles } from '../../matching/distance.ts';
import { type Match, milesFromCenter } from '../../matching/match.ts';
import { type ZipTable, placeLabel, placeOfZip } from '../../matching/zipTable.ts';
import { allows } from '../leadStates.ts';

export interface Assignable {
  id: number;
  /** Its location; null if unknown. */
  place: GeoPoint | null;
}

/** Locks a provider's status until the transaction ends. Throws UNPROCESSABLE_CONTENT if unknown or inactive. */
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

/** A lead whose consent names another provider than the one that it would be assigned to. */
export interface NamedOther {
  id: number;
  /** The name in the consent. */
  provider: string;
}

/**
 * Lists the leads whose new provider isn't the one their consent names. Evidence never changes, so no lock is needed.
 */
export async function listNamedOthers(
  db: Queryable,
  choices: ReadonlyMap<number, number>,
): Promise<NamedOther[]> {
  const { leadId, sellerProviderId, sellerName } = consentRecords;
  const rows = await db
    .select({ id: leads.id, providerId: leads.providerId, namedId: sellerProviderId, provider: sellerName })
    .from(consentRecords)
    .innerJoin(leads, eq(leads.id, leadId))
    .where(and(inArray(leadId, [...choices.keys()]), isNotNull(sellerProviderId), allows('assign')))
    .orderBy(asc(leads.id));
  return rows.flatMap(({ id, providerId, namedId, provider }) => {
    const chosen = choices.get(id);
    return provider === null || namedId === chosen || providerId === chosen ? [] : [{ id, provider }];
  });
}

/** Throws CONFLICT if the consent of one of these leads names another provider. */
export function expectNamed([other]: readonly NamedOther[]): void {
  if (other === undefined) return;
  throw new AppError('CONFLICT', `The consent of this lead names ${other.provider}.`, {
    reason: 'consent-names-other-provider',
  });
}

type Assigned = Omit<Match, 'method'> & { matchMethod: 'manual' | 'none' };

/** The assignment of a lead to a provider: its distance from the lead's ZIP, and the reason as a sentence for staff. */
export function getAssignment(
  { id: providerId, place }: Assignable,
  zipCode: string,
  { by, zipTable }: { by: string; zipTable: ZipTable },
): Assigned {
  const origin = placeOfZip(zipTable, zipCode);
  const distanceMiles = origin === null || place === null ? null : greatCircleMiles(origin, place);
  const away =
    origin === null || distanceMiles === null
      ? ''
      : `, ${milesFromCenter(distanceMiles, placeLabel(zipCode, origin))}`;
  return { providerId, matchMethod: 'manual', reason: `Assigned by ${by}${away}.`, distanceMiles };
}

/** The loss of a lead's provider, with the reason as a sentence for staff. `withoutName` knows it. */
export function takeAway(by: string): Assigned {
  const reason = `Taken away from its provider by ${by}.`;
  return { providerId: null, matchMethod: 'none', reason, distanceMiles: null };
}

/** The audit entry's detail of an assignment: what it changed, for the lead's history. */
export const assignmentDetail = z.object({
  /** Null: no provider was found. */
  providerId: z.number().nullable(),
  miles: z.number().nullable(),
  /** The provider that the lead's consent names, if it is another one. */
  consentNames: z.string().optional(),
  before: z.object({
    providerId: z.number().nullable(),
    method: z.string(),
    reason: z.string(),
    miles: z.number().nullable(),
  }),
});
export type AssignmentDetail = z.infer<typeof assignmentDetail>;

/** The detail of a move of a lead to a provider, or to none. */
export function buildAssignmentDetail(
  lead: Pick<LeadRow, 'zipCode' | 'providerId' | 'matchMethod' | 'matchReason' | 'matchDistanceMiles'>,
  { providerId, miles, consentNames }: Pick<AssignmentDetail, 'providerId' | 'miles' | 'consentNames'>,
): AssignmentDetail {
  return {
    providerId,
    miles,
    ...(consentNames === undefined ? {} : { consentNames }),
    before: {
      providerId: lead.providerId,
      method: lead.matchMethod,
      // Without the text that was typed as a ZIP: it may be anything, and the audit log keeps the reason forever.
      reason: lead.matchReason.replaceAll(`'${lead.zipCode}'`, 'What was typed'),
      miles: lead.matchDistanceMiles,
    },
  };
}

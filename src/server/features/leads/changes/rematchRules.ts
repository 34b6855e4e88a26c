import { and, eq, gt, inArray, not, type SQL, sql } from 'drizzle-orm';
import { rematchDaysMax } from '#shared/leads/leadOutcomes.ts';
import { dayMs } from '#shared/formats/time.ts';
import type { Queryable } from '#server/db/connect.ts';
import { auditLog, leadOutcomes, leads } from '#server/db/schema/index.ts';
import type { Services } from '#server/services.ts';
import { isLeadSuppressed } from '../../suppression/suppressions.ts';
import { allows } from '../leadStates.ts';

export type RematchServices = Pick<Services, 'db' | 'dataKeys' | 'config' | 'zipTable' | 'now' | 'channels'>;

/** A lead and its consent must be newer than this. */
export function rematchCutoff(now: Date): Date {
  return new Date(now.getTime() - rematchDaysMax * dayMs);
}

export interface RematchChecks {
  now: Date;
  /** Of `dataKeys.current('identity')`: suppressions are kept as hashes under it. */
  identityKey: Buffer;
}

/**
 * The condition on leads that may be matched again automatically: active, with evidence that the person agreed to be
 * contacted within the last 90 days, and without a withdrawal of that person since, by any of their leads. The same for
 * unmatched and for returned leads.
 */
export function mayBeRematched({ now, identityKey }: RematchChecks): SQL | undefined {
  const cutoff = rematchCutoff(now).toISOString();
  return and(
    allows('rematch'),
    gt(leads.createdAt, rematchCutoff(now)),
    sql`exists (select from consent_records where lead_id = ${leads.id} and accepted_at > ${cutoff}::timestamptz)`,
    sql`not exists (select from consent_withdrawals where lead_id = ${leads.id})`,
    not(isLeadSuppressed(identityKey)),
  );
}

/**
 * The providers that each lead is never matched with again automatically: those that returned it, and those that staff
 * took it away from. Leads without any are omitted.
 */
export async function listRefusers(
  db: Queryable,
  leadIds: readonly number[],
): Promise<ReadonlyMap<number, number[]>> {
  const returned = await db
    .selectDistinct({ leadId: leadOutcomes.leadId, providerId: leadOutcomes.providerId })
    .from(leadOutcomes)
    .where(and(inArray(leadOutcomes.leadId, [...leadIds]), eq(leadOutcomes.outcome, 'wrong-area')));
  const takenAway = await db
    .selectDistinct({
      leadId: sql`${auditLog.subjectId}::bigint`.mapWith(Number),
      providerId: sql`(${auditLog.detail} -> 'before' ->> 'providerId')::bigint`.mapWith(Number),
    })
    .from(auditLog)
    .where(
      and(
        eq(auditLog.subjectKind, 'lead'),
        inArray(auditLog.subjectId, leadIds.map(String)),
        eq(auditLog.action, 'lead.take-away'),
      ),
    );
  const rows = [...returned, ...takenAway];
  const byLead = Map.groupBy(rows, ({ leadId }) => leadId);
  return new Map([...byLead].map(([leadId, ofLead]) => [leadId, ofLead.map(({ providerId }) => providerId)]));
}

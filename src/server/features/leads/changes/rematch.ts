import { and, eq, gt, inArray, not, type SQL, sql, isNotNull, isNull } from 'drizzle-orm';
import { rematchDaysMax } from '#shared/leads/leadOutcomes.ts';
import { dayMs } from '#shared/formats/time.ts';
import type { Queryable } from '#server/db/connect.ts';
import { auditLog, leadOutcomes, leads, rematchRequests } from '#server/db/schema/index.ts';
import type { Services } from '#server/services.ts';
import { isLeadSuppressed } from '../../suppression/suppressions.ts';
import { allows } from '../leadStates.ts';
import { type Match, matchAgain } from '../../matching/match.ts';
import { rematchLeads } from './moveLeads.ts';
import { type LockedLead, lockLeads } from '../../outbox/leadStatus.ts';
import { advisoryLocks, tryAdvisoryLock } from '#server/db/advisoryLocks.ts';

export type RematchServices = Pick<Services, 'db' | 'dataKeys' | 'config' | 'zipTable' | 'now' | 'channels'>;

/** A lead and its consent must be newer than this. */
function rematchCutoff(now: Date): Date {
  return new Date(now.getTime() - rematchDaysMax * dayMs);
}

export interface RematchChecks {
  now: Date;
  /** Of `dataKeys.current('identity')`: suppressions are kept as hashes under it. */
  identityKey: Buffer;
}

/**
 * The condition on leads that may be matched again automatically: active, with evidence of consent within the last 90
 * days, and no withdrawal of that person since, by any of their leads. The same for unmatched and returned leads.
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

/** For each lead, the providers that returned it or that staff took it away from. Omits leads without any. */
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

/**
 * Requests a rematch after the caller's commit. Inserts a new row, as the worker may be about to delete an older one.
 */
export async function requestRematch(tx: Queryable): Promise<void> {
  await tx.insert(rematchRequests).values({});
}

/** Leads moved in one transaction. Few, so that other changes of them wait only briefly. */
const batchSize = 100;
/** ZIPs whose leads are listed together. */
const zipBatchSize = 500;
/** More requests than these wait for the next run. */
const requestBatchSize = 1000;

/**
 * Matches leads without a provider again, if requested since the last run. Of any number of processes, one does the
 * work. Deletes requests at the end, so that another process continues after a crash. Returns how many leads moved.
 */
export async function rematchUnmatched(services: RematchServices, signal?: AbortSignal): Promise<number> {
  const { db } = services;
  if ((await listRequests(db)).length === 0) return 0;
  // This transaction only holds the lock: it reads and writes no rows that others or vacuum would wait for.
  const { key: identityKey } = await services.dataKeys.current('identity');
  return db.transaction(async (holder) => {
    const isHolder = await tryAdvisoryLock(holder, advisoryLocks.rematch);
    const requests = isHolder ? await listRequests(db) : [];
    if (requests.length === 0) return 0;
    const moved = await rematchAll(services, identityKey, signal);
    // Only these: a later request may be about a provider that was not considered.
    if (signal?.aborted !== true)
      await db.delete(rematchRequests).where(inArray(rematchRequests.id, requests));
    return moved;
  });
}

async function listRequests(db: Queryable): Promise<number[]> {
  const rows = await db.select({ id: rematchRequests.id }).from(rematchRequests).limit(requestBatchSize);
  return rows.map(({ id }) => id);
}

async function rematchAll(
  services: RematchServices,
  identityKey: Buffer,
  signal: AbortSignal | undefined,
): Promise<number> {
  const zips = await matchableZips(services, signal);
  let moved = 0;
  for (let at = 0; at < zips.length; at += zipBatchSize) {
    const ids = await listUnmatched(services, zips.slice(at, at + zipBatchSize));
    for (let from = 0; from < ids.length; from += batchSize) {
      if (signal?.aborted === true) return moved;
      moved += await rematchBatch(services, identityKey, ids.slice(from, from + batchSize));
    }
  }
  return moved;
}

/** The ZIPs of unmatched leads for which there is a provider now. Each ZIP is matched once. */
async function matchableZips(
  { db, config, zipTable, now }: RematchServices,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const rows = await db
    .selectDistinct({ zip5: leads.zip5 })
    .from(leads)
    .where(and(isUnmatched(now()), isNotNull(leads.zip5)));
  const found: string[] = [];
  for (const { zip5 } of rows) {
    if (zip5 === null || signal?.aborted === true) continue;
    const radiusMiles = config.matchRadiusMiles;
    const match = await matchAgain(db, { zip5, zipCode: zip5, radiusMiles, zipTable, except: [] });
    if (match.providerId !== null) found.push(zip5);
  }
  return found;
}

/** In the terms of `leads_unmatched_idx`, which includes all these columns. */
function isUnmatched(now: Date) {
  return and(isNull(leads.providerId), allows('rematch'), gt(leads.createdAt, rematchCutoff(now)));
}

async function listUnmatched({ db, now }: RematchServices, zips: string[]): Promise<number[]> {
  const rows = await db
    .select({ id: leads.id })
    .from(leads)
    .where(and(isUnmatched(now()), inArray(leads.zip5, zips)));
  return rows.map(({ id }) => id).toSorted((a, b) => a - b);
}

/** Checks the leads again under a lock: those that were assigned, deleted or withdrawn since stay unchanged. */
function rematchBatch(
  services: RematchServices,
  identityKey: Buffer,
  ids: readonly number[],
): Promise<number> {
  const mayBe = mayBeRematched({ now: services.now(), identityKey });
  return services.db.transaction(async (tx) => {
    const open = and(inArray(leads.id, [...ids]), isNull(leads.providerId), mayBe);
    // A repeat stored at the same time must see these deliveries, and a withdrawal must cancel them.
    const found = await lockLeads(tx, open, 'update');
    const rematched = await matchEach(tx, services, found);
    await rematchLeads(tx, services, rematched);
    return rematched.length;
  });
}

/** The leads for which there is a provider. Leads of one ZIP that nobody returned share the match. */
async function matchEach(
  tx: Queryable,
  { config, zipTable }: RematchServices,
  found: readonly LockedLead[],
): Promise<{ lead: LockedLead; match: Match }[]> {
  const ids = found.map(({ id }) => id);
  const refusers = await listRefusers(tx, ids);
  const byZip = new Map<string | null, Match>();
  const rematched: { lead: LockedLead; match: Match }[] = [];
  for (const lead of found) {
    const { zip5, zipCode } = lead;
    const except = refusers.get(lead.id) ?? [];
    const known = except.length === 0 ? byZip.get(zip5) : undefined;
    const request = { zip5, zipCode, radiusMiles: config.matchRadiusMiles, zipTable, except };
    const match = known ?? (await matchAgain(tx, request));
    if (except.length === 0) byZip.set(zip5, match);
    if (match.providerId !== null)
      rematched.push({
        lead,
        match: { ...match, reason: `Rematched as providers changed. ${match.reason}` },
      });
  }
  return rematched;
}

import { and, asc, gt, inArray, isNotNull, isNull, sql } from 'drizzle-orm';
import type { Queryable } from '#server/db/connect.ts';
import { leads, rematchRequests } from '#server/db/schema/index.ts';
import { type Match, matchAgain } from '../matching/match.ts';
import { reassignLeads, rematchColumns, type Rematched, type RematchLead } from './reassignLeads.ts';
import { listRefusers, mayBeRematched, rematchCutoff, type RematchServices } from './rematchRules.ts';
import { allows } from './leadStates.ts';
import { advisoryLocks } from '#server/db/advisoryLocks.ts';

/**
 * Has the worker match unmatched leads again, once the caller's transaction has committed: leads became free, or providers
 * opened, moved or changed their radius. A new row each time, as the worker may be about to delete an older one.
 */
export async function requestRematch(tx: Queryable): Promise<void> {
  await tx.insert(rematchRequests).values({});
}

/** Leads given in one transaction: short, so that nobody who touches one of them waits. */
const batchSize = 100;
/** ZIPs whose leads are looked up at once. */
const zipsAtOnce = 500;
/** What is left after these waits for the next time. */
const requestsAtOnce = 1000;

/**
 * Matches the leads again that have no clinic, if any clinic has appeared, was activated, moved or changed its radius since the last time. In any
 * number of processes: one does it, and the others find nothing to do. What was asked for is forgotten only when all is done, so that a process that
 * dies midway leaves it to the next. Returns how many leads were given to a clinic.
 */
export async function rematchUnmatched(services: RematchServices, signal?: AbortSignal): Promise<number> {
  const { db } = services;
  if ((await listRequests(db)).length === 0) return 0;
  // It holds the lock alone: nothing is read or written in it that others would wait for, or that vacuum would have to keep.
  const { key: identityKey } = await services.dataKeys.current('identity');
  return db.transaction(async (holder) => {
    const [row] = await holder.execute<{ locked: boolean }>(
      sql`select pg_try_advisory_xact_lock(${advisoryLocks.rematch}) as locked`,
    );
    const requests = row?.locked === true ? await listRequests(db) : [];
    if (requests.length === 0) return 0;
    const given = await rematchAll(services, identityKey, signal);
    // These alone: one that was committed since may tell of a clinic that wasn't looked at.
    if (signal?.aborted !== true)
      await db.delete(rematchRequests).where(inArray(rematchRequests.id, requests));
    return given;
  });
}

async function listRequests(db: Queryable): Promise<number[]> {
  const rows = await db.select({ id: rematchRequests.id }).from(rematchRequests).limit(requestsAtOnce);
  return rows.map(({ id }) => id);
}

async function rematchAll(
  services: RematchServices,
  identityKey: Buffer,
  signal: AbortSignal | undefined,
): Promise<number> {
  const zips = await matchableZips(services, signal);
  let given = 0;
  for (let at = 0; at < zips.length; at += zipsAtOnce) {
    const ids = await listUnmatched(services, zips.slice(at, at + zipsAtOnce));
    for (let from = 0; from < ids.length; from += batchSize) {
      if (signal?.aborted === true) return given;
      given += await rematchBatch(services, identityKey, ids.slice(from, from + batchSize));
    }
  }
  return given;
}

/** Where there are leads without a clinic, and one now: where they stand decides, so each ZIP is asked about once. */
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

/** In the words of `leads_unmatched_idx`, which holds all that is looked at. */
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

/** Looks again under a lock: whatever has been assigned, deleted or withdrawn meanwhile stays as it is. */
function rematchBatch(
  services: RematchServices,
  identityKey: Buffer,
  ids: readonly number[],
): Promise<number> {
  const mayBe = mayBeRematched({ now: services.now(), identityKey });
  return services.db.transaction(async (tx) => {
    const found = await tx
      .select(rematchColumns)
      .from(leads)
      .where(and(inArray(leads.id, [...ids]), isNull(leads.providerId), mayBe))
      .orderBy(asc(leads.id))
      .for('update');
    const rematched = await matchEach(tx, services, found);
    await reassignLeads(tx, services, rematched);
    return rematched.length;
  });
}

/** Those for which there is a clinic. Leads of one ZIP that nobody gave back have the same. */
async function matchEach(
  tx: Queryable,
  { config, zipTable }: RematchServices,
  found: readonly RematchLead[],
): Promise<Rematched[]> {
  const ids = found.map(({ id }) => id);
  const refusers = await listRefusers(tx, ids);
  const byZip = new Map<string | null, Match>();
  const rematched: Rematched[] = [];
  for (const lead of found) {
    const { zip5, zipCode } = lead;
    const except = refusers.get(lead.id) ?? [];
    const known = except.length === 0 ? byZip.get(zip5) : undefined;
    const request = { zip5, zipCode, radiusMiles: config.matchRadiusMiles, zipTable, except };
    const match = known ?? (await matchAgain(tx, request));
    if (except.length === 0) byZip.set(zip5, match);
    if (match.providerId !== null)
      rematched.push({ lead, match: { ...match, reason: `Rematched as clinics changed. ${match.reason}` } });
  }
  return rematched;
}

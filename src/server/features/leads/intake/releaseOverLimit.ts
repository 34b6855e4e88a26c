import { and, asc, eq, lte, or, sql } from 'drizzle-orm';
import type { Queryable } from '#server/db/connect.ts';
import { leads, overLimitLeads } from '#server/db/schema/index.ts';
import type { Services } from '#server/services.ts';
import { catchRefusal } from '../../submissions/spam.ts';
import { system } from '../../audit/audit.ts';
import { type LeadAction, releaseLeads } from '../changes/leadChanges.ts';
import { allows } from '../leadStates.ts';
import { postponeOverLimit, waitMaxMs } from './overLimitQueue.ts';
import { advisoryLocks, tryAdvisoryLock } from '#server/db/advisoryLocks.ts';

const batchSize = 100;
const batchesMax = 20;

type ReleaseServices = LeadAction['services'] & { limits: Pick<Services['limits'], 'leads' | 'floods'> };

/**
 * Releases the due `over-limit` leads: as many as the limits of their networks and providers allow, and those that
 * waited the longest time allowed. Safe in any number of processes. Returns how many leads it released.
 */
export async function releaseOverLimit(services: ReleaseServices): Promise<number> {
  const { db } = services;
  if ((await listDue(db, services.now())).length === 0) return 0;
  // This transaction only holds the lock. Each release has its own and locks leads as staff's changes do.
  return db.transaction(async (tx) =>
    (await tryAdvisoryLock(tx, advisoryLocks.releaseOverLimit)) ? releaseBatches(services) : 0,
  );
}

async function releaseBatches(services: ReleaseServices): Promise<number> {
  let released = 0;
  for (let batch = 0; batch < batchesMax; batch += 1) {
    const due = await listDue(services.db, services.now());
    released += await releaseDue(services, due);
    if (due.length < batchSize) break;
  }
  return released;
}

interface DueLead {
  id: number;
  ip: string;
  providerId: number | null;
  /** Whether it waited the longest time allowed. */
  isLast: boolean;
}

async function releaseDue(services: ReleaseServices, due: readonly DueLead[]): Promise<number> {
  const { db, now } = services;
  const waiting = new Map<number, number[]>();
  const allowed: number[] = [];
  // Milliseconds to wait, by network and by provider.
  const refused = new Map<string | number, number>();
  for (const lead of due) {
    const waitMs = lead.isLast ? null : await refusedFor(services, lead, refused);
    if (waitMs === null) allowed.push(lead.id);
    else waiting.set(waitMs, [...(waiting.get(waitMs) ?? []), lead.id]);
  }
  for (const [waitMs, ids] of waiting) await postponeOverLimit(db, ids, new Date(now().getTime() + waitMs));
  if (allowed.length === 0) return 0;
  return (await releaseLeads({ services, actor: system, ip: null }, allowed, 'over-limit')).length;
}

/** Counts a release for its network and its provider. Returns how long it has to wait, or null. */
async function refusedFor(
  { limits }: ReleaseServices,
  { ip, providerId }: DueLead,
  refused: Map<string | number, number>,
): Promise<number | null> {
  const known = refused.get(ip) ?? (providerId === null ? undefined : refused.get(providerId));
  if (known !== undefined) return known;
  const refusal = await catchRefusal(limits.leads.take(ip, 'form', new Map()));
  if (refusal !== null) {
    const waitMs = (refusal.retryAfterSeconds ?? 1) * 1000;
    refused.set(ip, waitMs);
    return waitMs;
  }
  const waitMs = providerId === null ? null : await limits.floods.takeRelease(providerId);
  if (providerId === null || waitMs === null) return null;
  await limits.leads.giveBack(ip, 'form');
  refused.set(providerId, waitMs);
  return waitMs;
}

/** The widest network of a lead's address, as `widestNetwork` in security/sharedLimiter.ts. */
const network = sql`network(set_masklen(${leads.acceptanceIp}, case family(${leads.acceptanceIp}) when 4 then 24 else 48 end))`;

/** Due leads: the first of each network, then the second of each, and so on, so that no network delays another's. */
async function listDue(db: Queryable, at: Date): Promise<DueLead[]> {
  const isDue = or(
    lte(overLimitLeads.releaseAt, at),
    lte(leads.createdAt, new Date(at.getTime() - waitMaxMs)),
  );
  const turn = sql`row_number() over (partition by ${network} order by ${leads.id})`;
  const rows = await db
    .select({
      id: leads.id,
      ip: leads.acceptanceIp,
      providerId: leads.providerId,
      createdAt: leads.createdAt,
    })
    .from(overLimitLeads)
    .innerJoin(leads, eq(leads.id, overLimitLeads.leadId))
    .where(and(isDue, eq(leads.quarantineReason, 'over-limit'), allows('release')))
    .orderBy(turn, asc(leads.id))
    .limit(batchSize);
  return rows.map(({ id, ip, providerId, createdAt }) => ({
    id,
    ip: ip ?? 'unknown',
    providerId,
    isLast: at.getTime() - createdAt.getTime() >= waitMaxMs,
  }));
}

import { and, asc, eq, lte, sql } from 'drizzle-orm';
import type { Queryable } from '#server/db/connect.ts';
import { leads, overLimitLeads } from '#server/db/schema/index.ts';
import type { Services } from '#server/services.ts';
import { refusalOf } from '../../submissions/admission.ts';
import { system } from '../../audit/audit.ts';
import { type LeadAction, releaseLeads } from '../changes/leadChanges.ts';
import { allows } from '../leadStates.ts';
import { postponeOverLimit } from './overLimitQueue.ts';
import { advisoryLocks } from '#server/db/advisoryLocks.ts';

const batchSize = 100;

type ReleaseServices = LeadAction['services'] & Pick<Services, 'leadLimits'>;

/**
 * Releases the due leads that are `over-limit`, oldest first, as far as the rate limits of their networks allow. The
 * others wait until their window ends. Up to a hundred per call; any number of processes may call it. Returns how many
 * leads it released.
 */
export async function releaseOverLimit(services: ReleaseServices): Promise<number> {
  const { db } = services;
  if ((await listDue(db, services.now())).length === 0) return 0;
  // This transaction only holds the lock. Each release has its own and locks leads as staff's changes do.
  return db.transaction(async (tx) => {
    const [lock] = await tx.execute<{ held: boolean }>(
      sql`select pg_try_advisory_xact_lock(${advisoryLocks.releaseOverLimit}) as held`,
    );
    return lock?.held === true ? releaseDue(services) : 0;
  });
}

async function releaseDue(services: ReleaseServices): Promise<number> {
  const { db, leadLimits } = services;
  const at = services.now();
  const due = await listDue(db, at);
  const allowed: number[] = [];
  const waitSeconds = new Map<string, number>();
  for (const { id, ip } of due) {
    if (waitSeconds.has(ip)) continue;
    const refusal = await refusalOf(leadLimits.take(ip, 'form', new Map()));
    if (refusal === null) allowed.push(id);
    else waitSeconds.set(ip, refusal.retryAfterSeconds ?? 1);
  }
  const passed = new Set(allowed);
  for (const [ip, seconds] of waitSeconds) {
    const ids = due.filter((lead) => lead.ip === ip && !passed.has(lead.id)).map(({ id }) => id);
    const releaseAt = new Date(at.getTime() + seconds * 1000);
    await postponeOverLimit(db, ids, releaseAt);
  }
  if (allowed.length === 0) return 0;
  return (await releaseLeads({ services, actor: system, ip: null }, allowed, 'over-limit')).length;
}

async function listDue(db: Queryable, at: Date): Promise<{ id: number; ip: string }[]> {
  const rows = await db
    .select({ id: leads.id, ip: leads.acceptanceIp })
    .from(overLimitLeads)
    .innerJoin(leads, eq(leads.id, overLimitLeads.leadId))
    .where(
      and(lte(overLimitLeads.releaseAt, at), eq(leads.quarantineReason, 'over-limit'), allows('release')),
    )
    .orderBy(asc(leads.id))
    .limit(batchSize);
  return rows.map(({ id, ip }) => ({ id, ip: ip ?? 'unknown' }));
}

import { asc, count, eq, and, isNull, isNotNull } from 'drizzle-orm';
import type { AdminClaim } from '#shared/admin/claims.ts';
import { claims } from '#shared/brand/claims.ts';
import { type Claim, type HiddenClaim, pickHidden } from '#shared/claims/claim.ts';
import type { Queryable } from '#server/db/connect.ts';
import { hiddenClaims, problemReports } from '#server/db/schema/index.ts';
import { notFound } from '#server/errors.ts';
import { type AuditActor, recordAudit } from '../audit/audit.ts';
import { isCounted } from './problemReports.ts';

const registry: readonly Claim[] = claims;

/** What pages get of the claims with these ids. An id that the brand no longer has hides nothing. */
export function toHiddenClaims(ids: readonly string[]): HiddenClaim[] {
  return pickHidden(registry, (id) => ids.includes(id));
}

/** All claims of the brand with who hides them, and how many open reports name them. */
export async function listClaims(db: Queryable): Promise<AdminClaim[]> {
  const [hidden, reported] = await Promise.all([
    db.select().from(hiddenClaims).orderBy(asc(hiddenClaims.claimId)),
    db
      .select({ claimId: problemReports.claimId, reports: count() })
      .from(problemReports)
      .where(and(isNull(problemReports.doneAt), isCounted, isNotNull(problemReports.claimId)))
      .groupBy(problemReports.claimId),
  ]);
  return registry.map(({ id, text }) => {
    const row = hidden.find(({ claimId }) => claimId === id);
    return {
      id,
      text,
      hidden: row === undefined ? null : { by: row.hiddenBy, at: row.hiddenAt.toISOString() },
      reports: reported.find(({ claimId }) => claimId === id)?.reports ?? 0,
    };
  });
}

interface Hiding {
  id: string;
  isHidden: boolean;
  actor: AuditActor;
  ip: string | null;
  now: Date;
}

/**
 * Hides a claim on every page and in every message of every process, or shows it again. Writes an audit entry unless it
 * is so already. Throws NOT_FOUND 'Claim not found'.
 */
export async function setClaimHidden(tx: Queryable, { id, isHidden, actor, ip, now }: Hiding): Promise<void> {
  const claim = registry.find((each) => each.id === id);
  if (claim === undefined) throw notFound('Claim');
  const changed = isHidden
    ? await tx
        .insert(hiddenClaims)
        .values({ claimId: id, hiddenAt: now, hiddenBy: actor.name })
        .onConflictDoNothing()
    : await tx.delete(hiddenClaims).where(eq(hiddenClaims.claimId, id));
  if (changed.count === 0) return;
  const action = isHidden ? 'claim.hide' : 'claim.show';
  const subject = { kind: 'claim', id } as const;
  await recordAudit(tx, { actor, ip, action, subject, detail: { text: claim.text } });
}

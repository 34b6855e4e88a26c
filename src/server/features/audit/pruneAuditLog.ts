import { asc, inArray, lt } from 'drizzle-orm';
import type { Database } from '#server/db/connect.ts';
import { auditLog } from '#server/db/schema/index.ts';
import { recordAudit } from './audit.ts';

const batchSize = 5_000;

interface PruneOptions {
  before: Date;
  /** false: only counts. */
  removes: boolean;
  /** No batch starts after its abort. */
  signal?: AbortSignal;
}

/**
 * Removes the entries that are older than `before`, in batches, after an entry `audit.prune` that says so: without it,
 * and for entries of the last year, a trigger refuses. Returns how many. The database must be connected as the owner.
 */
export async function pruneAuditLog(
  db: Database,
  { before, removes, signal }: PruneOptions,
): Promise<number> {
  const isOld = lt(auditLog.at, before);
  const entries = await db.$count(auditLog, isOld);
  if (!removes || entries === 0) return entries;
  await recordAudit(db, {
    actor: { kind: 'command', name: 'npm run retention:prune' },
    ip: null,
    action: 'audit.prune',
    subject: null,
    detail: { before: before.toISOString(), entries },
  });
  let total = 0;
  for (;;) {
    if (signal?.aborted === true) return total;
    const old = db
      .select({ id: auditLog.id })
      .from(auditLog)
      .where(isOld)
      .orderBy(asc(auditLog.at))
      .limit(batchSize);
    const { count } = await db.delete(auditLog).where(inArray(auditLog.id, old));
    if (count === 0) return total;
    total += count;
  }
}

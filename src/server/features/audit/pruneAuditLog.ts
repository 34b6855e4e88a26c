import { lt } from 'drizzle-orm';
import { z } from 'zod';
import type { Database, Queryable } from '#server/db/connect.ts';
import { purgeRows } from '#server/db/purgeRows.ts';
import { readRow, timeColumn } from '#server/db/readRows.ts';
import { auditLog } from '#server/db/schema/index.ts';
import { recordAudit } from './audit.ts';

interface PruneOptions {
  /** Older entries are removed. */
  days: number;
  /** false: only counts. */
  removes: boolean;
  /** No batch starts after its abort. */
  signal?: AbortSignal;
}

/** By the database's clock, and in its words: the trigger compares with the same. */
async function readBefore(db: Queryable, days: number): Promise<Date> {
  const { before } = await readRow(db, z.object({ before: timeColumn }))`
    select (now() - make_interval(days => ${days}::int))::text as before`;
  return before;
}

/**
 * Removes entries older than `days`, in batches. The first also records `audit.prune`: without it, and for entries of
 * the last year, a trigger refuses. Returns how many it removed and from before when. Must be connected as owner.
 */
export async function pruneAuditLog(
  db: Database,
  { days, removes, signal }: PruneOptions,
): Promise<{ before: Date; entries: number }> {
  const before = await readBefore(db, days);
  const isOld = lt(auditLog.at, before);
  const found = await db.$count(auditLog, isOld);
  if (!removes || found === 0) return { before, entries: found };
  let entries = 0;
  for (;;) {
    if (signal?.aborted === true) return { before, entries };
    const isFirst = entries === 0;
    const removed = await db.transaction(async (tx) => {
      if (isFirst)
        // Without a number: an interrupted run removes fewer than it found.
        await recordAudit(tx, {
          actor: { kind: 'command', name: 'npm run retention:prune' },
          ip: null,
          action: 'audit.prune',
          subject: null,
          detail: { before: before.toISOString() },
        });
      return purgeRows(tx, auditLog.id, isOld, { order: auditLog.at });
    });
    if (removed === 0) return { before, entries };
    entries += removed;
  }
}

import { asc, inArray, isNull, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Queryable } from '#server/db/connect.ts';
import { accessChangeKinds, type AccessChangeRow, accessChanges } from '#server/db/schema/index.ts';
import type { NotedAccessChange } from './ledgerNotes.ts';

/** Records, in the transaction of the change, whose access ended, for a restored backup to repeat. */
export async function recordAccessChange(
  tx: Queryable,
  { kind, targetId }: Pick<AccessChangeRow, 'kind' | 'targetId'>,
): Promise<void> {
  await tx.insert(accessChanges).values({ kind, targetId });
}

/** All of them, the oldest first, as they are noted. */
export async function listAccessChanges(db: Queryable): Promise<NotedAccessChange[]> {
  const rows = await db.select().from(accessChanges).orderBy(asc(accessChanges.at), asc(accessChanges.id));
  return rows.map(({ id, kind, targetId, at }) => ({ id, kind, subject: targetId, at: at.toISOString() }));
}

export async function hasUnnotedChange(db: Queryable): Promise<boolean> {
  const [unnoted] = await db
    .select({ id: accessChanges.id })
    .from(accessChanges)
    .where(isNull(accessChanges.notedAt))
    .limit(1);
  return unnoted !== undefined;
}

export async function markNoted(tx: Queryable, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .update(accessChanges)
    .set({ notedAt: sql`now()` })
    .where(inArray(accessChanges.id, [...ids]));
}

const knownKind = z.enum(accessChangeKinds);

/** Stores a noted change. Returns its kind; null if the database has it already, and for a later version's kind. */
export async function adoptAccessChange(
  tx: Queryable,
  change: NotedAccessChange,
): Promise<AccessChangeRow['kind'] | null> {
  const { id, subject: targetId, at } = change;
  const { data: kind } = knownKind.safeParse(change.kind);
  if (kind === undefined) return null;
  const stored = await tx
    .insert(accessChanges)
    .values({ id, kind, targetId, at: new Date(at), notedAt: sql`now()` })
    .onConflictDoNothing()
    .returning({ id: accessChanges.id });
  return stored.length > 0 ? kind : null;
}

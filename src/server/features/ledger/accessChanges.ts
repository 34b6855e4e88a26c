import { asc, inArray, isNull, sql } from 'drizzle-orm';
import { z } from 'zod';
import { type StaffRole, staffRoles } from '#shared/admin/staff.ts';
import type { Queryable } from '#server/db/connect.ts';
import { accessChangeKinds, type AccessChangeRow, accessChanges } from '#server/db/schema/index.ts';
import type { NotedAccessChange } from './ledgerNotes.ts';

type AccessChange =
  | { kind: 'token-revoked' | 'account-removed' | 'password-changed'; targetId: number }
  | { kind: 'second-factor-removed' | 'identity-removed'; targetId: number }
  | { kind: 'role-changed'; targetId: number; role: StaffRole }
  | { kind: 'endpoint-removed' | 'endpoint-changed'; endpointId: string };

/** More in one change are noted as one, so that the notes stay small. */
const providersMax = 100;
/** Stands for more than those. */
export const manyProviders = 0;

/** Records that what decides who gets the leads of these providers changes. */
export async function recordProviderAccess(tx: Queryable, ids: readonly number[]): Promise<void> {
  const noted = ids.length > providersMax ? [manyProviders] : ids;
  if (noted.length === 0) return;
  await tx
    .insert(accessChanges)
    .values(noted.map((targetId) => ({ kind: 'provider-changed' as const, targetId })));
}

/** Records, in the transaction of the change, whose access ended, for a restored backup to repeat. */
export async function recordAccessChange(tx: Queryable, change: AccessChange): Promise<void> {
  await tx.insert(accessChanges).values({ targetId: 0, ...change });
}

/** All of them, the oldest first, as they are noted. */
export async function listAccessChanges(db: Queryable): Promise<NotedAccessChange[]> {
  const rows = await db.select().from(accessChanges).orderBy(asc(accessChanges.at), asc(accessChanges.id));
  return rows.map(({ id, kind, targetId, endpointId, role, at }) => ({
    ...{ id, kind, subject: targetId, at: at.toISOString() },
    ...(endpointId === null ? {} : { endpoint: endpointId }),
    ...(role === null ? {} : { role }),
  }));
}

export async function hasUnnotedChange(db: Queryable): Promise<boolean> {
  return (await db.$count(accessChanges, isNull(accessChanges.notedAt))) > 0;
}

export async function markNoted(tx: Queryable, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .update(accessChanges)
    .set({ notedAt: sql`now()` })
    .where(inArray(accessChanges.id, [...ids]));
}

const known = z.object({
  kind: z.enum(accessChangeKinds),
  endpoint: z.uuid().nullable().default(null),
  role: z.enum(staffRoles).nullable().default(null),
});

/** Stores the noted changes of some kinds that the database lacks, in order, and returns them. Skips unknown kinds. */
export async function adoptAccessChanges(
  tx: Queryable,
  changes: readonly NotedAccessChange[],
  kinds: readonly AccessChangeRow['kind'][],
): Promise<AccessChangeRow[]> {
  const adopted: AccessChangeRow[] = [];
  for (const change of changes) {
    const { data } = known.safeParse(change);
    if (data === undefined || !kinds.includes(data.kind)) continue;
    const { id, subject: targetId, at } = change;
    const { kind, endpoint: endpointId, role } = data;
    const stored = await tx
      .insert(accessChanges)
      .values({ ...{ id, kind, targetId, endpointId, role }, at: new Date(at), notedAt: sql`now()` })
      .onConflictDoNothing()
      .returning();
    adopted.push(...stored);
  }
  return adopted;
}

import { and, asc, eq, inArray, isNotNull, lt, ne, type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '#server/db/connect.ts';
import { providerApplications } from '#server/db/schema/index.ts';

const batchSize = 1_000;
const { id, status, createdAt, quarantinedAt, quarantineReason } = providerApplications;

async function purge(db: Queryable, condition: SQL | undefined): Promise<number> {
  const old = db
    .select({ id })
    .from(providerApplications)
    .where(condition)
    // Written as in the index, read backward.
    .orderBy(sql`${createdAt} nulls first`, asc(id))
    .limit(batchSize)
    .for('update', { skipLocked: true });
  return (await db.delete(providerApplications).where(inArray(id, old))).count;
}

/** Deletes a batch of the accepted or declined applications from before a time, in any number of processes. */
export function purgeApplications(db: Queryable, before: Date): Promise<number> {
  return purge(db, and(lt(createdAt, before), inArray(status, ['accepted', 'declined'])));
}

/** The same for quarantined applications that nobody answered, except those above the rate limit. */
export function purgeJunkApplications(db: Queryable, before: Date): Promise<number> {
  const isJunk = and(isNotNull(quarantinedAt), ne(quarantineReason, 'over-limit'));
  return purge(db, and(lt(createdAt, before), isJunk, eq(status, 'new')));
}

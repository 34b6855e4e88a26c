import { inArray, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Queryable } from './connect.ts';

const purgedPerBatch = 5_000;

/**
 * Deletes a batch of matching rows by key, in any number of processes. Skips locked rows. Returns how many it deleted.
 */
export async function purgeRows(db: Queryable, key: PgColumn, isOld: SQL | undefined): Promise<number> {
  const { table } = key;
  const old = db
    .select({ key })
    .from(table)
    .where(isOld)
    .limit(purgedPerBatch)
    .for('update', { skipLocked: true });
  return (await db.delete(table).where(inArray(key, old))).count;
}

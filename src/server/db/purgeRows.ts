import { inArray, type SQL } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Queryable } from './connect.ts';

interface Batch {
  limit?: number;
  /** What goes first; left out, any rows. */
  order?: PgColumn;
}

/**
 * Deletes a batch of matching rows by key, in any number of processes. Skips locked rows. Returns how many it deleted.
 * Throws if there is no condition, which would match every row.
 */
export async function purgeRows(
  db: Queryable,
  key: PgColumn,
  isOld: SQL | undefined,
  { limit = 5_000, order }: Batch = {},
): Promise<number> {
  if (isOld === undefined) throw new Error('What is old is not said.');
  const { table } = key;
  const old = db
    .select({ key })
    .from(table)
    .where(isOld)
    .orderBy(...(order === undefined ? [] : [order]))
    .limit(limit)
    .for('update', { skipLocked: true });
  return (await db.delete(table).where(inArray(key, old))).count;
}

import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Queryable } from '../../db/connect.ts';
import { readRow } from '#server/db/readRows.ts';
import { advisoryLocks } from '#server/db/advisoryLocks.ts';

/**
 * Whether this connection may run a sync: one at a time over all processes. Held until the connection closes. The
 * server notices within a minute and a half that a machine is gone.
 */
export async function tryRunLock(db: Queryable): Promise<boolean> {
  const { locked } = await readRow(db, z.object({ locked: z.boolean() }))`
    select set_config('tcp_keepalives_idle', '60', false), set_config('tcp_keepalives_interval', '10', false),
      set_config('tcp_keepalives_count', '3', false), pg_try_advisory_lock(${advisoryLocks.syncRun}) as locked`;
  return locked;
}

/** Lets the next run start immediately. The server notices a closed connection a little later. */
export async function releaseRunLock(db: Queryable): Promise<void> {
  await db.execute(sql`select pg_advisory_unlock(${advisoryLocks.syncRun})`);
}

/** Waits until nobody else compares and writes providers. Held until the end of the transaction. */
export async function takeReconcileLock(tx: Queryable): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${advisoryLocks.reconcileProviders})`);
}

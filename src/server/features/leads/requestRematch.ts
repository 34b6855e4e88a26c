import type { Queryable } from '#server/db/connect.ts';
import { rematchRequests } from '#server/db/schema/index.ts';

/**
 * Has the worker match unmatched leads again, once the caller's transaction has committed: leads became free, or providers
 * opened, moved or changed their radius. A new row each time, as the worker may be about to delete an older one.
 */
export async function requestRematch(tx: Queryable): Promise<void> {
  await tx.insert(rematchRequests).values({});
}

import { asc, inArray, lt } from 'drizzle-orm';
import { eventsKeptDays } from '#shared/admin/webhooks.ts';
import { dayMs } from '#shared/formats/time.ts';
import type { Database } from '#server/db/connect.ts';
import { webhookEvents } from '#server/db/schema/index.ts';
import { deleteEventDeliveries } from '../outbox/cancelDeliveries.ts';

const batchSize = 5_000;

/**
 * Deletes events older than thirty days with their deliveries and attempts, a batch in one transaction, in any number
 * of processes. A lead's deliveries are deleted with the lead. Returns how many events it deleted.
 */
export function purgeEvents(db: Database, now: Date): Promise<number> {
  const before = new Date(now.getTime() - eventsKeptDays * dayMs);
  return db.transaction(async (tx) => {
    const old = await tx
      .select({ id: webhookEvents.id })
      .from(webhookEvents)
      .where(lt(webhookEvents.at, before))
      .orderBy(asc(webhookEvents.at))
      .limit(batchSize)
      .for('update', { skipLocked: true });
    if (old.length === 0) return 0;
    const ids = old.map(({ id }) => id);
    await deleteEventDeliveries(tx, ids);
    await tx.delete(webhookEvents).where(inArray(webhookEvents.id, ids));
    return ids.length;
  });
}

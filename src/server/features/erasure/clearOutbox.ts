import { and, eq, inArray, isNull, or } from 'drizzle-orm';
import { deliveries, leads } from '#server/db/schema/index.ts';
import type { Services } from '#server/services.ts';

/**
 * Removes from this machine's outbox every message and draft about somebody who was erased, but those that tell of it, and about leads that are
 * purged, and old drafts that a crash left. Again and again, as a message may have been on its way there, and each machine has an outbox of its
 * own. Returns of how many deliveries.
 */
export async function clearOutbox({ db, mail: { outbox } }: Pick<Services, 'db' | 'mail'>): Promise<number> {
  await outbox?.removeOldDrafts();
  const ids = outbox === null ? [] : await outbox.deliveryIds();
  if (outbox === null || ids.length === 0) return 0;
  const rows = await db
    .select({ id: deliveries.id })
    .from(deliveries)
    .innerJoin(leads, eq(leads.id, deliveries.leadId))
    .where(and(inArray(deliveries.id, ids), or(isNull(leads.erasedAt), eq(deliveries.template, 'erased'))));
  const kept = new Set(rows.map(({ id }) => id));
  const gone = ids.filter((id) => !kept.has(id));
  await outbox.remove(gone);
  return gone.length;
}

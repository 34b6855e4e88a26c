import { and, eq, inArray, isNull, or } from 'drizzle-orm';
import { applicationMessages, deliveries, leads } from '#server/db/schema/index.ts';
import type { Services } from '#server/services.ts';

/**
 * Removes from this machine's folder of unsent mail all messages and drafts about erased persons, except the notices of the
 * erasure, and about purged leads and applications, and old drafts that a crash left. Messages
 * without a contact stay for a week, such as a reminder to a provider. Runs periodically: a message may
 * arrive after the erasure, and each machine has its own folder. Returns how many messages it removed.
 */
export async function clearMailFolder({
  db,
  mail: { folder },
}: Pick<Services, 'db' | 'mail'>): Promise<number> {
  await folder?.removeOldDrafts();
  await folder?.removeOldPlain();
  const ids = folder === null ? [] : await folder.deliveryIds();
  if (folder === null || ids.length === 0) return 0;
  const rows = await db
    .select({ id: deliveries.id })
    .from(deliveries)
    .innerJoin(leads, eq(leads.id, deliveries.leadId))
    .where(and(inArray(deliveries.id, ids), or(isNull(leads.erasedAt), eq(deliveries.template, 'erased'))));
  const others = await db
    .select({ id: applicationMessages.id, batch: applicationMessages.batch })
    .from(applicationMessages)
    .where(or(inArray(applicationMessages.id, ids), inArray(applicationMessages.batch, ids)));
  const kept = new Set([...rows.map(({ id }) => id), ...others.flatMap(({ id, batch }) => [id, batch])]);
  const gone = ids.filter((id) => !kept.has(id));
  await folder.remove(gone);
  return gone.length;
}

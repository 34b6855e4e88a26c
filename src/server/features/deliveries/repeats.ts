import { sql } from 'drizzle-orm';
import type { Queryable } from '../../db/connect.ts';
import { deliveries, type DeliveryInsert } from '../../db/schema/index.ts';

/** A clinic that was told of a person so lately isn't told again. */
export const toldAgainMs = 86_400_000;
export const toldReason = 'The provider was told of this person within the last 24 hours.';

/**
 * Writes deliveries of leads that are there already, but tells no clinic twice within a day of the same person: neither of what it heard before nor,
 * of several leads written at once, of more than the first. Those are kept, called off, with the reason. What failed told nobody.
 */
export async function insertDeliveries(
  tx: Queryable,
  rows: readonly DeliveryInsert[],
  now: Date,
): Promise<void> {
  if (rows.length === 0) return;
  await tx.insert(deliveries).values([...rows]);
  const ids = rows.flatMap(({ id, channel }) => (channel === 'clinic-email' ? [id] : []));
  if (ids.length === 0) return;
  const since = new Date(now.getTime() - toldAgainMs).toISOString();
  await tx.execute(sql`
    update deliveries d set state = 'cancelled', reason = ${toldReason}, next_try_at = null, finished_at = ${now.toISOString()}::timestamptz
    from leads l
    where d.id = any (${sql.param(ids)}::uuid[]) and l.id = d.lead_id and exists (
      select from leads other join deliveries told on told.lead_id = other.id
      where (other.id = coalesce(l.duplicate_of, l.id) or other.duplicate_of = coalesce(l.duplicate_of, l.id)) and other.id <> l.id
        and told.channel = 'clinic-email' and told.template = 'lead' and told.provider_id = d.provider_id
        and told.state not in ('cancelled', 'failed') and told.created_at > ${since}::timestamptz
        and (told.created_at < d.created_at or other.id < l.id))`);
}

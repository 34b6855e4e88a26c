import { sql } from 'drizzle-orm';
import { leads } from '#server/db/schema/index.ts';

/** Lead counts of providers with leads, without deleted leads, as `provider_id` and `lead_count`. */
export const leadCountOfEach = sql`(
  select ${leads.providerId} as provider_id, count(*)::int as lead_count from ${leads}
  where ${leads.providerId} is not null and ${leads.deletedAt} is null group by ${leads.providerId})`;

/** The lead count of one provider. */
export function findLeadCount(id: number) {
  return sql<number>`(
    select count(*)::int from ${leads} where ${leads.providerId} = ${id} and ${leads.deletedAt} is null)`;
}

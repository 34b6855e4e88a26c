import { type SQL, sql } from 'drizzle-orm';

/**
 * The `outcome` of a lead that an `update leads` moves to a provider: what that provider reported last, if it had the lead
 * before. It stays as it is where the provider does not change, or the lead moves to none.
 */
export function outcomeAfterMove(providerId: SQL): SQL {
  return sql`case when ${providerId} is null or ${providerId} is not distinct from leads.provider_id then leads.outcome else (
    select reported.outcome from lead_outcomes reported
    where reported.lead_id = leads.id and reported.provider_id = ${providerId} order by reported.id desc limit 1) end`;
}

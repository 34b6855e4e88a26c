import { sql } from 'drizzle-orm';
import type { Database } from '#server/db/connect.ts';
import { leadCountChanges, leadCounts } from '#server/db/schema/index.ts';
import { advisoryLocks } from '#server/db/advisoryLocks.ts';

/** Leads of each clinic that has had any, deleted ones left out, as `provider_id` and `lead_count`: exact at the moment of the query. */
export const leadCountOfEach = sql`(select provider_id, sum(count)::int as lead_count
  from (select provider_id, count from ${leadCounts} union all select provider_id, change from ${leadCountChanges}) as parts group by provider_id)`;

/** The same of one clinic. */
export function leadCountOf(id: number) {
  return sql<number>`(select coalesce(sum(count), 0)::int from (
    select count from ${leadCounts} where provider_id = ${id} union all
    select change from ${leadCountChanges} where provider_id = ${id}) as parts)`;
}

/** Adds the changes to the counts, so that few are left to be summed up. Does nothing while another process does so. */
export async function foldLeadCounts(db: Database): Promise<void> {
  const [change] = await db.execute(sql`select 1 from ${leadCountChanges} limit 1`);
  if (change === undefined) return;
  await db.transaction(async (tx) => {
    const [locked] = await tx.execute<{ locked: boolean }>(
      sql`select pg_try_advisory_xact_lock(${advisoryLocks.foldLeadCounts}) as locked`,
    );
    if (locked?.locked !== true) return;
    await tx.execute(sql`
      with moved as (delete from ${leadCountChanges} returning provider_id, change)
      insert into ${leadCounts} as kept (provider_id, count)
      select provider_id, sum(change) from moved group by provider_id
      on conflict (provider_id) do update set count = kept.count + excluded.count`);
  });
}

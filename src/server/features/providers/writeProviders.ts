import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Queryable } from '#server/db/connect.ts';
import { readRow } from '#server/db/readRows.ts';
import { syncedColumns } from '#shared/providers/providerFieldLists.ts';
import { requestRematch } from '../leads/changes/rematch.ts';

const columns = sql.raw(syncedColumns.join(', '));
const incomingColumns = sql.raw(syncedColumns.map((column) => `i.${column}`).join(', '));

/**
 * Writes a sync run's changes: `sync_changes` (sync/differences.ts) names the rows, `sync_incoming` has their values.
 * Synced columns only; staff own the others. Removes moving domains first, as the unique index is checked row by row.
 */
export async function writeProviders(tx: Queryable): Promise<void> {
  await tx.execute(sql`
    update providers p set status = 'f' from sync_changes c where c.id = p.id and c.change = 'deactivated' and not c.has_row`);
  await tx.execute(sql`
    update providers p set domain = null from sync_changes c
    where c.has_row and c.id = p.id and p.status = 't' and p.domain is not null and (c.status = 'f' or c.domain is distinct from p.domain)
      and exists (select from sync_changes o where o.has_row and o.status = 't' and o.domain = p.domain and o.wordpress_id <> p.wordpress_id)`);
  await tx.execute(sql`
    update providers p set (${columns}) = row(${incomingColumns}),
      email_confirmed_at = case when p.email = i.email then p.email_confirmed_at end
    from sync_changes c join sync_incoming i on i.wordpress_id = c.wordpress_id where c.has_row and c.id = p.id`);
  await tx.execute(sql`
    insert into providers (wordpress_id, ${columns}, waits_for_id)
    select i.wordpress_id, ${incomingColumns}, i.waits_for_id from sync_changes c join sync_incoming i on i.wordpress_id = c.wordpress_id
    where c.change = 'created' order by i.wordpress_id`);
}

/** Relocates providers without coordinates after the ZIP table changed. Requests a rematch if a matchable one moved. */
export async function relocateProviders(tx: Queryable): Promise<void> {
  const { moved } = await readRow(tx, z.object({ moved: z.boolean() }))`
    with placed as (
      select id, location from providers where location_source is distinct from 'coordinates'
    ), moved as (
      update providers set zip_code = zip_code from placed where providers.id = placed.id
      returning providers.status = 't' and not providers.paused and providers.location is not null
        and providers.location is distinct from placed.location as can_match_more
    )
    select exists (select from moved where can_match_more) as moved`;
  if (moved) await requestRematch(tx);
}

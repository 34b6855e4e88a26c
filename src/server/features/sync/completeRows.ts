import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { isListColumn } from '#server/config/fieldMap.ts';
import type { Queryable } from '#server/db/connect.ts';
import { bigintColumn, readRows } from '#server/db/readRows.ts';
import { syncedDbColumn } from '#server/db/providerFields.ts';
import { type SyncedColumn, syncedColumns, syncedFields } from '#shared/providers/providerFieldLists.ts';
import { skipMessages, warningMessages } from './messages.ts';
import type { SyncRunRow } from '#shared/admin/sync.ts';

const metersPerMile = 1609.344;
/** Rarely exceeded. Beyond, coordinates belong to the former ZIP code and would get the leads of another town. */
const milesFromNewZipMax = 30;

const incompleteRow = z.object({
  wordpressId: bigintColumn,
  name: z.string().nullable(),
  column: z.enum(['name', 'email', 'zip_code']),
});

export interface IncompleteRow {
  wordpressId: number;
  name: string | null;
  reason: string;
}

/** Whether the provider's own coordinates (`p`) can be those of the row's ZIP code (`z`). */
const isNearZip = `p.zip_code = i.zip_code or z.zip is null or earth_distance(p.location, ll_to_earth(z.latitude, z.longitude)) <= ${milesFromNewZipMax * metersPerMile}`;

/** What a column keeps, of the provider (`p`) that has this row (`i`). */
function keptValue(column: SyncedColumn): string {
  if (syncedFields[column].required === true) return `p.${column}`;
  if (syncedDbColumn(column).notNull) return `coalesce(p.${column}, i.${column})`;
  // Coordinates of the geocoder count where the provider has none.
  if (column === 'latitude' || column === 'longitude')
    return `case when p.latitude is not null and (${isNearZip}) then p.${column} else i.${column} end`;
  // The row has the text that was refused: an earlier version may have stored it.
  return `nullif(p.${column}, i.${column})`;
}

const filled = sql.raw(
  syncedColumns
    .map((column) => `${column} = case when '${column}' = any(k.kept) then k.${column} else i.${column} end`)
    .join(', '),
);
const keptValues = sql.raw(syncedColumns.map((column) => `${keptValue(column)} as ${column}`).join(', '));

/** A column that a record may lack: then the provider's value stays. Hours that staff or the provider set stay too. */
function completedValue(column: SyncedColumn): string {
  const empty = isListColumn(column) ? '{}' : '';
  const isOwn = syncedFields[column].owner === 'staff' ? 'p.hours_edited_at is not null or ' : '';
  return `case when ${isOwn}i.${column} is null then p.${column} else nullif(i.${column}, '${empty}') end`;
}

const mayLack = syncedColumns.filter((column) => syncedFields[column].keptIfMissing === true);
const lackSets = sql.raw(mayLack.map((column) => `${column} = k.${column}`).join(', '));
const lackValues = sql.raw(mayLack.map((column) => `${completedValue(column)} as ${column}`).join(', '));
const lackColumns = (table: string) => sql.raw(mayLack.map((column) => `${table}.${column}`).join(', '));

/**
 * Completes the staged rows from existing providers: columns whose values stay (`kept`), and rows that wait until staff
 * confirm whether they are a provider that is only here. Returns new ones without a required column: they are skipped.
 */
export async function completeRows(db: Queryable): Promise<IncompleteRow[]> {
  await db.execute(sql`
    update sync_incoming i set ${filled}
    from (
      select i.wordpress_id as number, string_to_array(i.kept, ',') as kept, ${keptValues}
      from sync_incoming i left join providers p on p.wordpress_id = i.wordpress_id
        left join zip_centroids z on z.zip = i.zip_code
      where i.state = 'row' and i.kept is not null
    ) k
    where k.number = i.wordpress_id`);
  await db.execute(sql`
    update sync_incoming i set ${lackSets}
    from (
      select i.wordpress_id as number, ${lackValues}
      from sync_incoming i left join providers p on p.wordpress_id = i.wordpress_id where i.state = 'row'
    ) k
    where k.number = i.wordpress_id and row(${lackColumns('i')}) is distinct from row(${lackColumns('k')})`);
  const incomplete = await readRows(db, incompleteRow)`
    update sync_incoming i set state = 'bad'
    where i.state = 'row' and i.kept is not null and (i.name is null or i.email is null or i.zip_code is null)
    returning i.wordpress_id as "wordpressId", i.name,
      case when i.name is null then 'name' when i.email is null then 'email' else 'zip_code' end as column`;
  await db.execute(sql`
    update sync_incoming i set status = 'f', waits_for_id = l.id
    from providers p join providers l on l.id = p.waits_for_id
    where i.state = 'row' and i.status = 't' and p.wordpress_id = i.wordpress_id`);
  await db.execute(sql`
    update sync_incoming i set status = 'f', waits_for_id = l.id
    from providers l
    where i.state = 'row' and i.status = 't' and l.zip_code = i.zip_code and l.wordpress_id is null
      and lower(l.email) = lower(i.email)
      and not exists (select from providers p where p.wordpress_id = i.wordpress_id)`);
  return incomplete.map(({ wordpressId, name, column }) => ({
    wordpressId,
    name,
    reason: skipMessages.missing(syncedFields[column].label),
  }));
}

/** The rows that wait for staff, with the name of the provider that they may be. */
export async function listWaiting(db: Queryable): Promise<SyncRunRow[]> {
  const row = z.object({ wordpressId: bigintColumn, name: z.string(), other: z.string() });
  const rows = await readRows(db, row)`
    select i.wordpress_id as "wordpressId", i.name, l.name as other
    from sync_incoming i join providers l on l.id = i.waits_for_id order by i.wordpress_id`;
  return rows.map(({ wordpressId, name, other }) => ({
    change: 'warned' as const,
    wordpressId,
    name,
    detail: warningMessages.unconfirmed(other),
  }));
}

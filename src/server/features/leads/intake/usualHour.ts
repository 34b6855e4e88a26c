import { z } from 'zod';
import { dayMs, hourMs } from '#shared/formats/time.ts';
import type { Queryable } from '#server/db/connect.ts';
import { readRows } from '#server/db/readRows.ts';
import { auditLog, leads } from '#server/db/schema/index.ts';

const historyDays = 28;
const historyHours = (historyDays * dayMs) / hourMs;
/** Busier hours of the history than its 95th percentile. */
const busierHours = historyHours - Math.ceil(historyHours * 0.95);

/**
 * The 95th percentile of a provider's leads by hour over the last 28 days, most of which have none. Leads that were
 * quarantined or waited above a limit don't count, also after their release: a flood must not raise what it may reach.
 * Reads the provider's leads of these days by their index, and the history of each.
 */
export async function findUsualHour(db: Queryable, providerId: number, at: Date): Promise<number> {
  const since = new Date(at.getTime() - historyDays * dayMs).toISOString();
  const [row] = await readRows(db, z.object({ usual: z.number() }))`
    select count(*)::int as usual from ${leads}
    where ${leads.providerId} = ${providerId} and ${leads.deletedAt} is null and ${leads.createdAt} > ${since}::timestamptz
      and ${leads.quarantinedAt} is null
      and not exists (select from ${auditLog} where ${auditLog.subjectKind} = 'lead' and ${auditLog.subjectId} = ${leads.id}::text
        and ${auditLog.action} = 'lead.release')
    group by date_trunc('hour', ${leads.createdAt}) order by usual desc offset ${busierHours} limit 1`;
  return row?.usual ?? 0;
}

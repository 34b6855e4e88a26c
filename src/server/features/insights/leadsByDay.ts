import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { type InsightsRange, type LeadsByDay, sitesMax } from '#shared/admin/insights.ts';
import type { Database } from '../../db/connect.ts';
import { addUp, cameIn, cameThatDay, rangeDays, readFigureRows } from './rangeDays.ts';

/** The order of sites: the main one, the busiest providers' by rank from 1, all others together. */
const places = { main: 0, others: sitesMax + 1 } as const;

const siteDay = z.object({
  day: z.string(),
  place: z.number(),
  /** Null except for one of the busiest. */
  site: z.string().nullable(),
  name: z.string().nullable(),
  total: z.number(),
  matched: z.number(),
  success: z.number(),
  failed: z.number(),
});
type SiteDay = z.infer<typeof siteDay>;

/**
 * Leads of each day by site and status, from `leads_created_idx` only. Throws SERVICE_UNAVAILABLE after ten seconds.
 */
export async function leadsByDay(db: Database, range: InsightsRange): Promise<LeadsByDay> {
  const query = sql`
        with busiest as materialized (
          select site_provider_id as site, row_number() over (order by count(*) desc, site_provider_id) as place
          from leads where ${cameIn(range)} and site_provider_id is not null
          group by 1 order by place limit ${sitesMax}
        )
        select days.day, coalesce(ofday.place, ${places.main}::int) as place, busiest.site::text as site, providers.name,
          coalesce(total, 0)::int as total, coalesce(matched, 0)::int as matched, coalesce(success, 0)::int as success, coalesce(failed, 0)::int as failed
        from ${rangeDays(range)} left join lateral (
          select case when leads.site_provider_id is null then ${places.main}::int else coalesce(busiest.place, ${places.others})::int end as place,
            count(*) as total, count(leads.provider_id) as matched,
            count(*) filter (where crm_sync_status = 'success') as success, count(*) filter (where crm_sync_status = 'failed') as failed
          from leads left join busiest on busiest.site = leads.site_provider_id where ${cameThatDay} group by 1
        ) as ofday on true left join busiest using (place) left join providers on providers.id = busiest.site
        order by 1, 2`;
  return arranged(await readFigureRows(db, siteDay, query));
}

/** Rows by day, then site. A day without leads has one row, the main site's, with zeros. */
function arranged(rows: readonly SiteDay[]): LeadsByDay {
  const sites = new Map(
    rows
      .filter(({ total }) => total > 0)
      .toSorted((a, b) => a.place - b.place)
      .map(({ place, site, name }) => [place, { key: toKey(place, site), name }]),
  );
  const byDay = Map.groupBy(rows, ({ day }) => day);
  return {
    sites: [...sites.values()],
    days: [...byDay].map(([day, ofDay]) => toDay(day, ofDay, [...sites.keys()])),
  };
}

function toKey(place: number, site: string | null): string {
  return place === places.main ? 'main' : (site ?? 'others');
}

function toDay(
  day: string,
  rows: readonly SiteDay[],
  sitePlaces: readonly number[],
): LeadsByDay['days'][number] {
  const [total, success, failed] = [addUp(rows, 'total'), addUp(rows, 'success'), addUp(rows, 'failed')];
  return {
    day,
    bySite: sitePlaces.map((place) => rows.find((row) => row.place === place)?.total ?? 0),
    total,
    matched: addUp(rows, 'matched'),
    // An empty status means pending.
    pending: total - success - failed,
    success,
    failed,
  };
}

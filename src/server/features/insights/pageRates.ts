import { and, eq, exists, isNotNull, ne, sql } from 'drizzle-orm';
import { z } from 'zod';
import { toFirstPage } from '#shared/pages/firstPages.ts';
import {
  campaignsListedMax,
  type InsightsRange,
  type PageRate,
  type PageRates,
} from '#shared/admin/insights.ts';
import { consentRecords, formStarts, leadAttribution, leads } from '#server/db/schema/index.ts';
import type { Database } from '../../db/connect.ts';
import { compareShares, estimateShare } from './proportions.ts';
import { addUp, cameIn, readFigureRows } from './rangeDays.ts';

/** Of the visits that began on a page with a campaign. */
export interface VisitCounts {
  page: string;
  /** Empty: none. */
  campaign: string;
  starts: number;
  leads: number;
  reached: number;
  booked: number;
}

const startRow = z.object({ page: z.string(), campaign: z.string(), starts: z.number() });

const leadRow = z.object({
  isProviderSite: z.boolean(),
  path: z.string().nullable(),
  campaign: z.string(),
  leads: z.number(),
  reached: z.number(),
  booked: z.number(),
});

/**
 * Whether a lead began as a start that was counted: a page's form that a script sent, on a day since starts are
 * counted. API clients and forms without script have no start. Only a script sends its browser's clock.
 */
const hasStart = and(
  exists(
    sql`(select 1 from ${consentRecords} where ${eq(consentRecords.leadId, leads.id)}
      and ${ne(consentRecords.formKey, 'api')} and ${isNotNull(consentRecords.clientClock)})`,
  ),
  sql`${leads.createdAt} >= (select min(${formStarts.day}) from ${formStarts})::timestamp at time zone 'UTC'`,
);

/**
 * Started forms and their leads by first page and campaign, most leads first. Of the leads of the other insights, those
 * that have a start; `reached` are those that their provider reached or booked. Throws SERVICE_UNAVAILABLE after ten
 * seconds.
 */
export async function countVisits(db: Database, range: InsightsRange): Promise<VisitCounts[]> {
  const started = await readFigureRows(
    db,
    startRow,
    sql`select ${formStarts.page} as page, ${formStarts.campaign} as campaign, sum(${formStarts.count})::int as starts
      from ${formStarts} where ${formStarts.day} between ${range.from}::date and ${range.to}::date group by 1, 2`,
  );
  const isFirst = and(eq(leadAttribution.leadId, leads.id), eq(leadAttribution.touch, 'first'));
  const came = await readFigureRows(
    db,
    leadRow,
    sql`select ${leads.siteProviderId} is not null as "isProviderSite", ${leadAttribution.landingPath} as path,
        coalesce(${leadAttribution.utmCampaign}, '') as campaign, count(*)::int as leads,
        count(*) filter (where ${leads.outcome} in ('reached', 'booked'))::int as reached,
        count(*) filter (where ${leads.outcome} = 'booked')::int as booked
      from ${leads} left join ${leadAttribution} on ${isFirst} where ${cameIn(range)} and ${hasStart} group by 1, 2, 3`,
  );
  const rows = [
    ...started.map((row) => ({ ...row, leads: 0, reached: 0, booked: 0 })),
    ...came.map((row) => ({ ...row, page: toFirstPage(row), starts: 0 })),
  ];
  return [...Map.groupBy(rows, ({ page, campaign }) => `${page}\n${campaign}`)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, same]) => ({ page: same[0]?.page ?? '', campaign: same[0]?.campaign ?? '', ...sum(same) }))
    .toSorted((a, b) => b.leads - a.leads || b.starts - a.starts);
}

type Counts = Omit<VisitCounts, 'page' | 'campaign'>;

function sum(rows: readonly Counts[]): Counts {
  return {
    starts: addUp(rows, 'starts'),
    leads: addUp(rows, 'leads'),
    reached: addUp(rows, 'reached'),
    booked: addUp(rows, 'booked'),
  };
}

/** Counts by a name, with the share of started forms that became leads, each compared with the most started one. */
function toRates(visits: readonly VisitCounts[], getName: (visit: VisitCounts) => string): PageRate[] {
  const rows = [...Map.groupBy(visits, getName)]
    .map(([name, same]) => ({ name, ...sum(same) }))
    .toSorted((a, b) => b.starts - a.starts || b.leads - a.leads || (a.name < b.name ? -1 : 1));
  const toGroup = ({ starts, leads: sent }: Counts) => ({ trials: starts, successes: sent });
  const [most] = rows;
  return rows.map((row) => ({
    ...row,
    rate: estimateShare(row.leads, row.starts),
    comparison: most === undefined || row === most ? null : compareShares(toGroup(row), toGroup(most)),
  }));
}

/** The same by page and by campaign. Campaigns beyond the first are left out; the CSV file has them. */
export async function pageRates(db: Database, range: InsightsRange): Promise<PageRates> {
  const visits = await countVisits(db, range);
  return {
    pages: toRates(visits, ({ page }) => page),
    campaigns: toRates(visits, ({ campaign }) => campaign).slice(0, campaignsListedMax),
  };
}

import { sql } from 'drizzle-orm';
import { z } from 'zod';
import {
  type InsightsProviders,
  insightsProviders,
  type InsightsRange,
  providersListedMax,
} from '#shared/admin/insights.ts';
import type { Database } from '#server/db/connect.ts';
import { cameIn, readFigureRows } from './rangeDays.ts';
import { medianSeconds, waits, withOutcome } from './summary.ts';

const row = insightsProviders.shape.network.extend({
  id: z.number().nullable(),
  name: z.string().nullable(),
});

/**
 * Leads, outcomes and the median time to the first outcome by the leads' present provider, and of all of them. Throws
 * SERVICE_UNAVAILABLE after ten seconds.
 */
export async function providerFigures(db: Database, range: InsightsRange): Promise<InsightsProviders> {
  const query = sql`
    with ${waits(range)},
    came as (
      select provider_id, grouping(provider_id) as is_all, count(*)::int as matched from leads
      where leads.provider_id is not null and ${cameIn(range)} group by grouping sets ((provider_id), ())
      order by is_all desc, matched desc, provider_id limit ${providersListedMax + 1}
    ),
    outcomes as (
      select provider_id, count(*)::int as reached, (count(*) filter (where outcome = 'booked'))::int as booked
      from ${withOutcome(['reached', 'booked'], range)} and leads.provider_id is not null
      group by grouping sets ((provider_id), ())
    ),
    medians as (
      select provider_id, ${medianSeconds} as "medianSeconds" from waits where provider_id is not null
      group by grouping sets ((provider_id), ())
    )
    select came.provider_id::int as id, providers.name, came.matched, coalesce(reached, 0) as reached,
      coalesce(booked, 0) as booked, "medianSeconds"
    from came left join providers on providers.id = came.provider_id
    left join outcomes on outcomes.provider_id is not distinct from came.provider_id
    left join medians on medians.provider_id is not distinct from came.provider_id
    order by came.is_all desc, came.matched desc, came.provider_id`;
  const [network, ...rows] = await readFigureRows(db, row, query);
  const none = { matched: 0, reached: 0, booked: 0, medianSeconds: null };
  return {
    network: network ?? none,
    providers: rows.flatMap(({ id, name, ...figures }) =>
      id === null || name === null ? [] : [{ id, name, ...figures }],
    ),
  };
}

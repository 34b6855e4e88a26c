import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import {
  type ProviderDetail,
  type ProviderFigures,
  ratedDays,
  providerFigures,
  ratedFigures,
  type RatedFigures,
} from '#shared/admin/adminProviders.ts';
import { dayMs } from '#shared/formats/time.ts';
import type { Database, Queryable } from '#server/db/connect.ts';
import { readWithTimeout } from '#server/db/readWithTimeout.ts';

/** The network's median is of its newest outcomes, so that it takes as long in a large network. */
const newestOutcomes = 20_000;
const monthsShown = 12;

export const figuresTooLong = 'These figures took too long to load. Try again later.';

const counts = sql`leads.deleted_at is null and leads.quarantined_at is null`;

/** Leads since then count for the rates. */
function ratedSince(now: Date): SQL {
  return sql`${new Date(now.getTime() - ratedDays * dayMs).toISOString()}::timestamptz`;
}

/** The first day of a month in UTC, `ago` months before the present one. */
function monthStart(now: Date, ago = 0): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago, 1));
}

async function readOne<Row>(tx: Queryable, row: z.ZodType<Row>, query: SQL): Promise<Row> {
  const [found] = z.array(row).parse(await tx.execute(query));
  if (found === undefined) throw new Error('an aggregate has a row');
  return found;
}

const figureRow = providerFigures.shape.providers.element;

/** What came of the leads of each provider, and of the whole network, from indexes only. */
export function readNetworkFigures(db: Database, now: Date): Promise<ProviderFigures> {
  const since = ratedSince(now);
  const ofProviders = sql`
    with got as materialized (
      select provider_id, count(*)::int as leads,
        count(*) filter (where created_at >= ${monthStart(now).toISOString()}::timestamptz)::int as "thisMonth"
      from leads where created_at >= ${since} and ${counts} and provider_id is not null group by 1
    ), answered as materialized (
      select provider_id, count(*)::int as reached, count(*) filter (where outcome = 'booked')::int as booked
      from leads where outcome in ('reached', 'booked') and created_at >= ${since} and ${counts} and provider_id is not null
      group by 1
    )
    select provider_id::int as id, leads, "thisMonth", coalesce(reached, 0) as reached, coalesce(booked, 0) as booked
    from got left join answered using (provider_id) order by 1`;
  const waits = sql`
    with newest as materialized (select id, lead_id, at from lead_outcomes order by id desc limit ${newestOutcomes})
    select count(*)::int as outcomes,
      percentile_cont(0.5) within group (order by date_part('epoch', newest.at - leads.created_at)) as "medianSeconds"
    from newest join leads on leads.id = newest.lead_id
    where leads.created_at >= ${since} and ${counts} and not exists (
      select from lead_outcomes earlier where earlier.lead_id = newest.lead_id and earlier.id < newest.id)`;
  return readWithTimeout(
    db,
    async (tx) => {
      const providers = z.array(figureRow).parse(await tx.execute(ofProviders));
      const sum = (figure: 'leads' | 'reached' | 'booked'): number =>
        providers.reduce((total, row) => total + row[figure], 0);
      const network = {
        ...{ leads: sum('leads'), reached: sum('reached'), booked: sum('booked') },
        ...(await readOne(tx, ratedFigures.pick({ outcomes: true, medianSeconds: true }), waits)),
      };
      return { providers, network };
    },
    { tooLong: figuresTooLong },
  );
}

/** The same of one provider. */
export function readOwnFigures(db: Queryable, id: number, now: Date): Promise<RatedFigures> {
  const query = sql`
    select count(*)::int as leads, count(*) filter (where outcome in ('reached', 'booked'))::int as reached,
      count(*) filter (where outcome = 'booked')::int as booked, count(first.at)::int as outcomes,
      percentile_cont(0.5) within group (order by date_part('epoch', first.at - leads.created_at)) as "medianSeconds"
    from leads left join lateral (
      select at from lead_outcomes where lead_id = leads.id and provider_id = ${id} order by id limit 1
    ) as first on true
    where leads.provider_id = ${id} and leads.created_at >= ${ratedSince(now)} and ${counts}`;
  return readOne(db, ratedFigures, query);
}

const monthRow = z.object({ month: z.string(), leads: z.number() });

/** The leads of each of the last twelve months in UTC, the oldest first. */
export async function listMonths(db: Queryable, id: number, now: Date): Promise<ProviderDetail['months']> {
  const first = monthStart(now, monthsShown - 1);
  const query = sql`
    select to_char(created_at at time zone 'UTC', 'YYYY-MM') as month, count(*)::int as leads from leads
    where provider_id = ${id} and created_at >= ${first.toISOString()}::timestamptz and ${counts} group by 1`;
  const rows = z.array(monthRow).parse(await db.execute(query));
  return Array.from({ length: monthsShown }, (_, index) => {
    const month = monthStart(now, monthsShown - 1 - index)
      .toISOString()
      .slice(0, 7);
    return { month, leads: rows.find((row) => row.month === month)?.leads ?? 0 };
  });
}

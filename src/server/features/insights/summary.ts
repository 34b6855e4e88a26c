import { type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import {
  insightsSummary,
  type InsightsRange,
  type InsightsSummary,
  previousRange,
} from '#shared/admin/insights.ts';
import { leadOutcomes } from '#shared/leads/leadOutcomes.ts';
import type { Database, Queryable } from '#server/db/connect.ts';
import { repeatReason } from '../outbox/repeats.ts';
import { cameIn, readFigures, startOf } from './rangeDays.ts';

const list = (values: readonly string[]): SQL =>
  sql.join(
    values.map((value) => sql`${value}`),
    sql`, `,
  );

/** Leads that have an outcome, from the index of outcomes only. */
export const withOutcome = (outcomes: readonly string[], range: InsightsRange): SQL =>
  sql`leads where leads.outcome in (${list(outcomes)}) and ${cameIn(range)}`;

/**
 * Of leads with an outcome, as rows of `waits`: their present provider, and the milliseconds from arrival to the first
 * outcome.
 */
export const waits = (range: InsightsRange): SQL => sql`
  answered as materialized (select id, created_at, provider_id from ${withOutcome(leadOutcomes, range)}),
  waits as (
    select answered.provider_id, round(date_part('epoch', first.at - answered.created_at) * 1000) as ms
    from answered join (
      select lead_id, min(at) as at from lead_outcomes
      where lead_id between (select min(id) from answered) and (select max(id) from answered) group by lead_id
    ) as first on first.lead_id = answered.id
  )`;

/** The median of `waits`; of an even number, the mean of the middle two. */
export const medianSeconds = sql`percentile_cont(0.5) within group (order by ms) / 1000`;

/**
 * Matched leads whose present provider has no email of them. Found among the deliveries that aren't delivered, of which
 * there are few: the others outnumber the leads.
 */
const unreached = (range: InsightsRange): SQL => sql`
  select count(distinct leads.id)::int from deliveries open
  join leads on leads.id = open.lead_id and leads.provider_id = open.provider_id and ${cameIn(range)}
  where open.state in ('queued', 'held', 'failed', 'cancelled') and open.created_at >= ${startOf(range.from, range)}
    and open.channel = 'provider-email' and open.template = 'lead' and open.reason is distinct from ${repeatReason}
    and not exists (
      select from deliveries sent where sent.lead_id = leads.id and sent.provider_id = leads.provider_id
        and sent.channel = 'provider-email' and sent.template = 'lead'
        and (sent.state = 'delivered' or sent.reason = ${repeatReason})
    )`;

const countOf = (from: SQL): SQL => sql`(select count(*)::int from ${from})`;

const row = insightsSummary.shape.current.omit({ clinicReached: true }).extend({ unreached: z.number() });

async function readPeriod(tx: Queryable, range: InsightsRange): Promise<InsightsSummary['current']> {
  const found = z.tuple([row]).parse(
    await tx.execute(sql`
      with ${waits(range)}
      select came.leads, came.matched,
        (${unreached(range)}) as unreached,
        ${countOf(sql`leads where leads.clinic_not_reached and ${cameIn(range)}`)} as "clinicNotReached",
        (select ${medianSeconds} from waits) as "medianSeconds",
        ${countOf(withOutcome(['reached', 'booked'], range))} as reached,
        ${countOf(withOutcome(['booked'], range))} as booked,
        ${countOf(sql`leads where leads.outcome is null and leads.provider_id is not null and ${cameIn(range)}`)} as "noOutcome",
        ${countOf(sql`leads where leads.delivery_failed and ${cameIn(range)}`)} as failed
      from (select count(*)::int as leads, count(leads.provider_id)::int as matched from leads where ${cameIn(range)}) as came`),
  );
  const [{ unreached: missing, ...figures }] = found;
  return { ...figures, clinicReached: figures.matched - missing };
}

/**
 * The seven figures of a range and of as many days before it, from one snapshot. Each is read from an index whose
 * condition it has. Throws SERVICE_UNAVAILABLE after ten seconds.
 */
export function summary(db: Database, range: InsightsRange): Promise<InsightsSummary> {
  return readFigures(db, async (tx) => {
    const [current, previous] = [await readPeriod(tx, range), await readPeriod(tx, previousRange(range))];
    const [newest] = await tx.execute(
      sql`select from leads where deleted_at is null and quarantined_at is null order by created_at desc nulls last limit 1`,
    );
    return { current, previous, hasLeads: newest !== undefined };
  });
}

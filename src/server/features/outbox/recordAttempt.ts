import type { CrmStatus } from '#shared/admin/adminLeads.ts';
import type { Database } from '#server/db/connect.ts';
import { deliverySeconds } from '#server/metrics.ts';
import type { LeadRow } from '#server/db/schema/index.ts';
import type { DeliveryResult } from './channel.ts';
import type { Claim } from './lease.ts';
import { redact } from './redact.ts';
import type { Standing } from './deliveryState.ts';

export interface Settled {
  delivery: Claim['delivery'];
  lead: LeadRow;
  result: Extract<DeliveryResult, { outcome: 'delivered' | 'failed' }>;
  standing: Standing;
  durationMs: number;
  /** Whether the try counts towards those the schedule allows. */
  counts: boolean;
  now: Date;
}

const crmStatuses: Partial<Record<Standing['state'], CrmStatus>> = {
  queued: 'pending',
  delivered: 'success',
  failed: 'failed',
};

/** Text, as drizzle would put it together anew for every try. */
const statement = `
  with lead as materialized (
    select id, erased_at from leads where id = $1 for no key update
  ), try as (
    insert into delivery_attempts (lead_id, delivery_id, channel, at, duration_ms, outcome, status, answer)
    select id, $2::uuid, $3, $4::timestamptz, $5::int, $6, $7, case when erased_at is null then $8::text end from lead
  ), settled as (
    update deliveries set remote_id = coalesce($9, remote_id), leased_until = null, attempts_before_round = attempts_before_round + $10::int,
      state = case state when 'queued' then $11 else state end,
      reason = case state when 'queued' then $12 else reason end,
      next_attempt_at = case state when 'queued' then $13::timestamptz end,
      finished_at = case state when 'queued' then $14::timestamptz else finished_at end
    from lead where deliveries.id = $2::uuid and leased_until = $15::timestamptz
    returning deliveries.lead_id, deliveries.state
  )
  update leads set crm_sync_status = $16::text from settled
  where leads.id = settled.lead_id and settled.state <> 'cancelled' and $16::text is not null and crm_sync_status is distinct from $16::text
    and not exists (select 1 from deliveries newer where newer.lead_id = leads.id and newer.channel = 'crm' and newer.created_at > $17::timestamptz)`;

/**
 * Writes a try down with what comes of it, in one statement: the try itself, the delivery's standing (and with it, by trigger, the next try's job)
 * and the lead's CRM status. The lead is locked before the delivery, as everyone does who changes both. A claim that has run out meanwhile
 * changes nothing but the record of tries. What was called off during the try stays so, but keeps what the far side calls it: an erasure needs that
 * name. Of the answer nothing is kept once the person is erased.
 */
export async function settle(
  db: Database,
  { delivery, lead, result, standing, durationMs, counts, now }: Settled,
): Promise<void> {
  const { id, channel, createdAt, leasedUntil } = delivery;
  const answer = result.answer === null ? null : redact(result.answer, lead);
  const remoteId = result.outcome === 'delivered' ? (result.remoteId ?? null) : null;
  const status = channel === 'crm' ? (crmStatuses[standing.state] ?? null) : null;
  const tried = [
    lead.id,
    id,
    channel,
    now.toISOString(),
    Math.round(durationMs),
    result.outcome,
    result.status,
    answer,
  ];
  const times = [standing.nextAttemptAt, standing.finishedAt].map((at) => at?.toISOString() ?? null);
  const follows = [remoteId, counts ? 0 : 1, standing.state, standing.reason, ...times];
  const parameters = [...tried, ...follows, leasedUntil.toISOString(), status, createdAt.toISOString()];
  await db.$client.unsafe(statement, parameters, { prepare: true });
  deliverySeconds.observe({ channel, outcome: result.outcome }, durationMs / 1000);
}

import { sql } from 'drizzle-orm';
import type { CrmStatus } from '#shared/adminLeads.ts';
import type { Queryable } from '../../db/connect.ts';
import { deliverySeconds } from '../../metrics.ts';
import type { LeadRow } from '../../db/schema/index.ts';
import type { DeliveryResult } from './channel.ts';
import type { Claimed } from './claim.ts';
import { redact } from './redact.ts';
import type { Standing } from './standing.ts';

export interface Settled {
  delivery: Claimed;
  lead: LeadRow;
  result: Exclude<DeliveryResult, { outcome: 'cancelled' }>;
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

/**
 * Writes a try down with what comes of it, in one statement: the try itself, the delivery's standing (and with it, by trigger, the next try's job)
 * and the lead's CRM status. The lead is locked before the delivery, as everyone does who changes both. A claim that has run out meanwhile
 * changes nothing but the record of tries. What was called off during the try stays so, but keeps what the far side calls it: an erasure needs that
 * name. Of the answer nothing is kept once the person is erased.
 */
export async function settle(
  db: Queryable,
  { delivery, lead, result, standing, durationMs, counts, now }: Settled,
): Promise<void> {
  const { id, channel, createdAt, claimedUntil } = delivery;
  const answer = result.answer === null ? null : redact(result.answer, lead);
  const remoteId = result.outcome === 'delivered' ? (result.remoteId ?? null) : null;
  const status = channel === 'crm' ? (crmStatuses[standing.state] ?? null) : null;
  await db.execute(sql`
    with lead as materialized (
      select id, erased_at from leads where id = ${lead.id} for no key update
    ), try as (
      insert into delivery_tries (lead_id, delivery_id, channel, at, duration_ms, outcome, status, answer)
      select id, ${id}::uuid, ${channel}, ${now.toISOString()}::timestamptz, ${Math.round(durationMs)}::int, ${result.outcome}, ${result.status},
        case when erased_at is null then ${answer}::text end from lead
    ), settled as (
      update deliveries set remote_id = coalesce(${remoteId}, remote_id), claimed_until = null, round_began = round_began + ${counts ? 0 : 1}::int,
        state = case state when 'queued' then ${standing.state} else state end,
        reason = case state when 'queued' then ${standing.reason} else reason end,
        next_try_at = case state when 'queued' then ${standing.nextTryAt?.toISOString() ?? null}::timestamptz end,
        finished_at = case state when 'queued' then ${standing.finishedAt?.toISOString() ?? null}::timestamptz else finished_at end
      from lead where deliveries.id = ${id} and claimed_until = ${claimedUntil.toISOString()}::timestamptz
      returning deliveries.lead_id, deliveries.state
    )
    update leads set crm_sync_status = ${status}::text from settled
    where leads.id = settled.lead_id and settled.state <> 'cancelled' and ${status}::text is not null and crm_sync_status is distinct from ${status}::text
      and not exists (select 1 from deliveries newer where newer.lead_id = leads.id and newer.channel = 'crm' and newer.created_at > ${createdAt.toISOString()}::timestamptz)`);
  deliverySeconds.observe({ channel, outcome: result.outcome }, durationMs / 1000);
}

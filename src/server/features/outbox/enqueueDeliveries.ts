import { randomUUID } from 'node:crypto';
import { type LeadChannel, leadChannels } from '#shared/admin/deliveries.ts';
import { type DeliveryInsert, type DeliveryRow, deliveries } from '#server/db/schema/index.ts';
import { isTo } from './channelRules.ts';
import { type DeliveryChange, stateColumns } from './deliveryStates.ts';
import type { Channels } from './types.ts';
import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '#server/db/connect.ts';
import { insertRows } from '#server/db/insertRows.ts';
import { clearFailureFlags } from './leadStatus.ts';

export type PlannedDelivery = Pick<
  DeliveryRow,
  'id' | 'channel' | 'providerId' | 'state' | 'nextAttemptAt' | 'reason' | 'finishedAt'
>;

/** Why the person gets no email: anyone could have sent the lead in their name. */
export const unprovenReason =
  'The lead was sent without a form token or an API token, so the person gets no email.';

interface PlanInput {
  channels: Channels;
  /** Null: no provider was found, so there is no message to one. */
  providerId: number | null;
  now: Date;
  /** Not before; by default, as soon as possible. */
  dueAt?: Date;
  /** All by default. */
  of?: readonly LeadChannel[];
  /** False: the lead had no valid token, so the person's message is stored as cancelled, with the reason. */
  mayMailPerson?: boolean;
}

/** The deliveries that a lead's arrival or new provider causes: queued, or held if the channel isn't configured. */
export function planDeliveries({
  channels,
  providerId,
  now,
  dueAt = now,
  of = leadChannels,
  mayMailPerson = true,
}: PlanInput): PlannedDelivery[] {
  return of
    .filter((channel) => !isTo('provider', channel) || providerId !== null)
    .map((channel) => {
      const row = { id: randomUUID(), channel, providerId };
      const plan = (change: DeliveryChange): PlannedDelivery => ({ ...row, ...stateColumns(change) });
      if (isTo('person', channel) && !mayMailPerson)
        return plan({ state: 'cancelled', reason: unprovenReason, finishedAt: now });
      const heldReason = channels[channel].heldReason();
      return plan(
        heldReason === null
          ? { state: 'queued', nextAttemptAt: dueAt, reason: null }
          : { state: 'held', reason: heldReason },
      );
    });
}

/** The same as rows of one lead. */
export function toRows(
  planned: readonly PlannedDelivery[],
  lead: { leadId: number } & Pick<DeliveryInsert, 'createdAt' | 'requestedBy'>,
): (DeliveryInsert & { leadId: number })[] {
  return planned.map((row) => ({ ...row, ...lead }));
}

/** Inserts deliveries in the transaction that causes them. Call `services.wakeSignal.wake()` after its commit. */
export async function enqueueDeliveries(tx: Queryable, rows: readonly DeliveryInsert[]): Promise<void> {
  if (rows.length === 0) return;
  await enqueueFirstDeliveries(tx, rows);
  await clearFailureFlags(tx, [...new Set(rows.flatMap(({ leadId }) => leadId ?? []))]);
}

/** The same for new leads, which have no failed delivery whose flags it would clear. */
export async function enqueueFirstDeliveries(tx: Queryable, rows: readonly DeliveryInsert[]): Promise<void> {
  if (rows.length > 0) await tx.execute(insertRows(deliveries, rows));
}

interface Webhooks {
  eventIds: readonly string[];
  endpointId: string;
  now: Date;
}

/** Enqueues stored events for one endpoint, due now. */
export function enqueueWebhooks(tx: Queryable, { eventIds, endpointId, now }: Webhooks): Promise<void> {
  return enqueueDeliveries(
    tx,
    eventIds.map((eventId) => ({
      ...{ id: randomUUID(), channel: 'webhook', template: 'event', eventId, endpointId },
      ...{ nextAttemptAt: now, createdAt: now },
    })),
  );
}

/** Enqueues new events. `rows` selects `event_id`, `endpoint_id`, `at` and `due_at`, the time of the first attempt. */
export function enqueueWebhooksQuery(rows: SQL): SQL {
  return sql`
    insert into deliveries (id, channel, template, event_id, endpoint_id, next_attempt_at, created_at)
    select gen_random_uuid(), 'webhook', 'event', event_id, endpoint_id, due_at, at from (${rows}) as wanted`;
}

import { randomUUID } from 'node:crypto';
import { type DeliveryChannel, deliveryChannels } from '#shared/admin/deliveries.ts';
import type { DeliveryInsert, DeliveryRow } from '#server/db/schema/index.ts';
import type { Channels } from './channel.ts';

export type Planned = Pick<
  DeliveryRow,
  'id' | 'channel' | 'providerId' | 'state' | 'nextAttemptAt' | 'reason'
>;

/** Why the person gets no email: anybody could have sent the lead in their name. */
export const unprovenReason =
  'The lead was sent without a form token or an API token, so the person gets no email.';

interface PlanInput {
  channels: Channels;
  /** Null: no clinic was found, so none is told. */
  providerId: number | null;
  now: Date;
  /** All, unless said otherwise. */
  of?: readonly DeliveryChannel[];
  /** False: the lead had no valid token, so the lead email is stored as cancelled, with the reason. */
  mayMailPerson?: boolean;
}

/**
 * What a lead's arrival, or a new clinic for it, is to cause: queued where the channel is ready, held where nothing is configured for it. A queued
 * one has its job as soon as its row is written.
 */
export function planDeliveries({
  channels,
  providerId,
  now,
  of = deliveryChannels,
  mayMailPerson = true,
}: PlanInput): Planned[] {
  return of
    .filter((channel) => channel !== 'provider-email' || providerId !== null)
    .map((channel) => {
      const id = randomUUID();
      if (channel === 'lead-email' && !mayMailPerson)
        return { id, channel, providerId, state: 'cancelled', nextAttemptAt: null, reason: unprovenReason };
      const held = channels[channel].heldReason();
      return held === null
        ? { id, channel, providerId, state: 'queued', nextAttemptAt: now, reason: null }
        : { id, channel, providerId, state: 'held', nextAttemptAt: null, reason: held };
    });
}

/** The same as rows of one lead. */
export function rowsOf(
  planned: readonly Planned[],
  lead: Pick<DeliveryInsert, 'leadId' | 'createdAt' | 'requestedBy'>,
): DeliveryInsert[] {
  return planned.map((row) => ({ ...row, ...lead }));
}

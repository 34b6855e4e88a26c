import { randomUUID } from 'node:crypto';
import { type LeadChannel, leadChannels } from '#shared/admin/deliveries.ts';
import type { DeliveryInsert, DeliveryRow } from '#server/db/schema/index.ts';
import type { Channels } from './types.ts';

export type Planned = Pick<
  DeliveryRow,
  'id' | 'channel' | 'providerId' | 'state' | 'nextAttemptAt' | 'reason' | 'finishedAt'
>;

/** Why the person gets no email: anybody could have sent the lead in their name. */
export const unprovenReason =
  'The lead was sent without a form token or an API token, so the person gets no email.';

interface PlanInput {
  channels: Channels;
  /** Null: no provider was found, so there is no email to one. */
  providerId: number | null;
  now: Date;
  /** All, unless said otherwise. */
  of?: readonly LeadChannel[];
  /** False: the lead had no valid token, so the lead email is stored as cancelled, with the reason. */
  mayMailPerson?: boolean;
}

/** The deliveries that a lead's arrival, or a new provider for it, causes: queued if the channel is ready, held if it isn't configured. */
export function planDeliveries({
  channels,
  providerId,
  now,
  of = leadChannels,
  mayMailPerson = true,
}: PlanInput): Planned[] {
  return of
    .filter((channel) => channel !== 'provider-email' || providerId !== null)
    .map((channel) => {
      const row = { id: randomUUID(), channel, providerId, nextAttemptAt: null, finishedAt: null };
      if (channel === 'lead-email' && !mayMailPerson)
        return { ...row, state: 'cancelled', reason: unprovenReason, finishedAt: now };
      const held = channels[channel].heldReason();
      return held === null
        ? { ...row, state: 'queued', nextAttemptAt: now, reason: null }
        : { ...row, state: 'held', reason: held };
    });
}

/** The same as rows of one lead. */
export function rowsOf(
  planned: readonly Planned[],
  lead: { leadId: number } & Pick<DeliveryInsert, 'createdAt' | 'requestedBy'>,
): (DeliveryInsert & { leadId: number })[] {
  return planned.map((row) => ({ ...row, ...lead }));
}

import type { DeliveryChannel } from '#shared/admin/deliveries.ts';
import { channelRules } from '../outbox/channelRules.ts';
import type { NewEvent } from '../webhooks/recordEvents.ts';

/** The lead of an event. Events about a quarantined lead are not recorded; its release is the first. */
export interface EventLead {
  id: number;
  providerId: number | null;
  quarantinedAt: Date | null;
}

function toEvent(type: string, lead: EventLead, more: Record<string, unknown> = {}): NewEvent[] {
  if (lead.quarantinedAt !== null) return [];
  const { id, providerId } = lead;
  return [{ type, leadId: id, providerId, data: { id, provider_id: providerId, ...more } }];
}

/** A lead was stored, or released from quarantine. `dueAt`: when it is delivered; immediately by default. */
export function leadCreated(lead: EventLead & { dueAt?: Date | undefined }): NewEvent[] {
  const { dueAt } = lead;
  return toEvent('lead.created', lead).map((event) => (dueAt === undefined ? event : { ...event, dueAt }));
}

/** A lead moved to another provider, or to none. Records nothing if the provider is the same. */
export function leadMoved(lead: EventLead, previousProviderId: number | null): NewEvent[] {
  if (lead.providerId === previousProviderId) return [];
  return lead.providerId === null
    ? leadUpdated(lead, ['provider_id'])
    : toEvent('lead.assigned', lead, { previous_provider_id: previousProviderId });
}

/** Fields of a lead changed; `deleted` means that a deletion was undone. */
export function leadUpdated(lead: EventLead, changed: readonly string[]): NewEvent[] {
  return toEvent('lead.updated', lead, { changed });
}

export function leadOutcomeReported(lead: EventLead, outcome: string): NewEvent[] {
  return toEvent('lead.updated', lead, { changed: ['outcome'], outcome });
}

export function leadDeleted(lead: EventLead): NewEvent[] {
  return toEvent('lead.deleted', lead);
}

export function leadErased(lead: EventLead): NewEvent[] {
  return toEvent('lead.erased', lead);
}

/** A person withdrew consent to contact; also for a purged lead, whose provider is unknown. */
export function consentRevoked(lead: EventLead): NewEvent[] {
  return toEvent('lead.consent_revoked', lead);
}

/** A delivery about the lead failed for good. */
export function deliveryFailed(
  lead: EventLead,
  delivery: { id: string; channel: DeliveryChannel },
): NewEvent[] {
  const channel =
    delivery.channel === 'webhook' ? delivery.channel : channelRules[delivery.channel].publicName;
  return toEvent('lead.delivery_failed', lead, { delivery_id: delivery.id, channel });
}

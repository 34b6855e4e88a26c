/** The channels that deliver leads. */
export const leadChannels = ['lead-email', 'provider-email', 'crm'] as const;
export type LeadChannel = (typeof leadChannels)[number];

/** All channels: `webhook` sends events to integrators' endpoints. */
export const deliveryChannels = [...leadChannels, 'webhook'] as const;
export type DeliveryChannel = (typeof deliveryChannels)[number];

/**
 * What a delivery of a lead says. `lead`: that the lead exists, for a lead with or without a provider. `withdrawn`:
 * that the person withdrew the consent to be contacted. `erased`: that the person was erased here and must be erased
 * there: to the provider by email, with the lead's number only, and to a CRM that may have the contact. Only these two
 * are still sent about a person whom nobody may contact.
 */
const leadTemplates = ['lead', 'withdrawn', 'erased'] as const;

/** `event`: what happened, for webhooks. */
export const deliveryTemplates = [...leadTemplates, 'event'] as const;
export type DeliveryTemplate = (typeof deliveryTemplates)[number];

/** The result of one attempt. */
export const deliveryOutcomes = ['delivered', 'failed'] as const;

/**
 * `queued`: waits for its first or next attempt. `delivered`, `failed`: finished; staff may request a retry. `held`:
 * its channel is not configured, or a refusal keeps it from leaving (`holdCauses`), as `reason` says; it is queued once
 * the channel is ready, or when it is due. `cancelled`: not to be delivered, as `reason` says.
 */
export const deliveryStates = ['queued', 'delivered', 'failed', 'held', 'cancelled'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/**
 * Why a delivery is held although its channel is configured. `later`: its recipient refused every attempt for now.
 * `ours`: the refusals concern this installation (its account, its address, its key). `unreachable`: the provider's
 * address is marked as unreachable. `mailbox`: somebody withdrew under another spelling of the lead's email address, and
 * staff must decide whether it is the same person.
 */
export const holdCauses = ['later', 'ours', 'unreachable', 'mailbox'] as const;
export type HoldCause = (typeof holdCauses)[number];

/**
 * Whom a refusal concerns. `recipient`: this recipient or message, and a retry would fail too. `later`: this recipient,
 * and a retry may succeed. `ours`: our account, our settings or our sending host; staff get one alert.
 */
export const refusalClasses = ['recipient', 'later', 'ours'] as const;
export type RefusalClass = (typeof refusalClasses)[number];

/** Seconds before each attempt of a round, ±10 %: eight in about 28 hours (server/features/outbox/backoff.ts). */
export const retrySeconds = [0, 5, 300, 1_800, 7_200, 18_000, 36_000, 36_000] as const;

/** How often staff may resend the lead's email in 24 hours. */
export const resendsPerDayMax = 3;

/** How often staff may resend to one address in 24 hours, for all of its leads together. */
export const recipientResendsPerDayMax = 5;

export const deliveryChannelNames: Readonly<Record<DeliveryChannel, string>> = {
  'lead-email': 'Email to the lead',
  'provider-email': 'Email to the provider',
  crm: 'CRM',
  webhook: 'Webhook',
};

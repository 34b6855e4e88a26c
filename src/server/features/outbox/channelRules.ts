import { type DeliveryChannel, type LeadChannel, leadChannels } from '#shared/admin/deliveries.ts';

/**
 * Who receives a lead by a channel, which decides most of what happens to its deliveries. `person`: who sent the lead;
 * withheld without a valid form token, and sent again only after a rematch. `provider`: the lead's provider, if it has
 * one; the same contact details at most once in 24 hours (repeats.ts), and cancelled when the lead moves. `crm`: the one
 * CRM, which gets every lead, follows it to another provider, and never goes stale.
 */
type Recipient = 'person' | 'provider' | 'crm';

/** The names of retries in the audit log. */
export const retryKinds = ['sync', 'email', 'provider'] as const;
export type RetryKind = (typeof retryKinds)[number];

interface ChannelRules {
  recipient: Recipient;
  /** Its messages have a Message-ID, by which a mail service reports bounces and complaints. */
  isEmail: boolean;
  /** Its name in event bodies, which integrators compare. */
  publicName: string;
  retryKind: RetryKind;
}

/** What distinguishes the channels that deliver leads, besides their code in `channels/`. */
export const channelRules: Readonly<Record<LeadChannel, ChannelRules>> = {
  'lead-email': { recipient: 'person', isEmail: true, publicName: 'lead-email', retryKind: 'email' },
  'provider-email': {
    recipient: 'provider',
    isEmail: true,
    publicName: 'clinic-email',
    retryKind: 'provider',
  },
  crm: { recipient: 'crm', isEmail: false, publicName: 'crm', retryKind: 'sync' },
};

/** The channels that deliver leads to one of these recipients. */
export function channelsTo(...recipients: readonly Recipient[]): LeadChannel[] {
  return leadChannels.filter((channel) => recipients.includes(channelRules[channel].recipient));
}

export const emailChannels: readonly LeadChannel[] = leadChannels.filter(
  (channel) => channelRules[channel].isEmail,
);

/** Channels that share one account with their receiver: all email by SMTP, or the CRM. */
export type Family = readonly LeadChannel[];
export const crmOnly: Family = ['crm'];

export function getFamily(channel: LeadChannel): Family {
  return channel === 'crm' ? crmOnly : emailChannels;
}

export function isTo(recipient: Recipient, channel: DeliveryChannel): boolean {
  return channel !== 'webhook' && channelRules[channel].recipient === recipient;
}

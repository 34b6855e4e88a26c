import type { LeadChannel } from '#shared/admin/deliveries.ts';
import type { Config } from '#server/config/config.ts';
import type { MailChannelDeps } from '#server/features/mail/mailFacts.ts';
import { deliveryFailed } from '../../leads/leadEvents.ts';
import { recordEvents } from '../../webhooks/recordEvents.ts';
import { createLeadEmail } from './leadEmail.ts';
import { createProviderEmail } from './providerEmail.ts';
import type { Channel, Channels, WebhookInput } from '../types.ts';
import { createHubspotCrm } from '../../crm/hubspotCrm.ts';
import { createWebhookCrm } from '../../crm/webhookCrm.ts';

export type MailChannels = Pick<Channels, 'lead-email' | 'provider-email'>;

export function createMailChannels(deps: MailChannelDeps): MailChannels {
  return { 'lead-email': createLeadEmail(deps), 'provider-email': createProviderEmail(deps) };
}

/** Without email, its deliveries are held. */
function withoutMail(name: LeadChannel): Channel {
  const reason = 'Email is not configured.';
  return { name, heldReason: () => reason, deliver: () => Promise.reject(new Error(reason)) };
}

interface Others {
  mail?: MailChannels;
  webhook?: Channel<WebhookInput>;
}

const noMail: MailChannels = {
  'lead-email': withoutMail('lead-email'),
  'provider-email': withoutMail('provider-email'),
};

/** Scripts and tests may omit webhooks: an attempt is an error. */
const noWebhooks: Channel<WebhookInput> = {
  name: 'webhook',
  heldReason: () => null,
  deliver: () => Promise.reject(new Error('this process sends no webhooks')),
};

export function createChannels(
  config: Config,
  { mail = noMail, webhook = noWebhooks }: Others = {},
): Channels {
  return {
    ...mail,
    crm: createCrmChannel(config),
    webhook,
    onLeadFailure: async (tx, lead, delivery) => {
      await recordEvents(tx, deliveryFailed(lead, delivery));
    },
  };
}

/** The configured adapter, if any. */
function getAdapter({
  crm,
  production,
  secretKeys,
}: Pick<Config, 'crm' | 'production' | 'secretKeys'>): Channel['deliver'] | null {
  if (crm === null) return null;
  const allowLoopback = !production;
  return crm.kind === 'webhook'
    ? createWebhookCrm({ ...crm, secretKeys, allowLoopback })
    : createHubspotCrm({ ...crm, allowLoopback });
}

/** Delivers leads to the configured CRM. Without one, its deliveries are held. */
function createCrmChannel(config: Pick<Config, 'crm' | 'production' | 'secretKeys'>): Channel {
  const deliver = getAdapter(config);
  const reason = 'CRM sync is not configured.';
  return {
    name: 'crm',
    heldReason: () => (deliver === null ? reason : null),
    deliver: (input) => deliver?.(input) ?? Promise.reject(new Error(reason)),
  };
}

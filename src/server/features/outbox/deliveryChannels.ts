import type { Config } from '#server/config/config.ts';
import { createCrmChannel } from '../crm/crmChannel.ts';
import type { MailChannels } from '../mail/mailChannels.ts';
import type { Channel, Channels } from './channel.ts';

/** Where nothing sends e-mail, what it is to carry waits. */
function withoutMail(name: 'lead-email' | 'provider-email'): Channel {
  const reason = 'E-mail is not configured.';
  return { name, heldReason: () => reason, deliver: () => Promise.reject(new Error(reason)) };
}

const noMail: MailChannels = {
  'lead-email': withoutMail('lead-email'),
  'provider-email': withoutMail('provider-email'),
};

/** What deliveries go out by in this process. */
export function createChannels(config: Config, mail: MailChannels = noMail): Channels {
  return { ...mail, crm: createCrmChannel(config) };
}

import type { Channels } from '../outbox/channel.ts';
import { providerEmail } from './providerEmail.ts';
import { leadEmail, type MailChannelDeps } from './leadEmail.ts';

/** The two ways by which e-mail goes out. */
export type MailChannels = Pick<Channels, 'lead-email' | 'provider-email'>;

export function createMailChannels(deps: MailChannelDeps): MailChannels {
  return { 'lead-email': leadEmail(deps), 'provider-email': providerEmail(deps) };
}

import type { DrawMail } from '#shared/mail/mail.ts';
import { zipFive } from '#shared/leads/zip.ts';
import type { Config } from '#server/config/config.ts';
import type { Database } from '../../db/connect.ts';
import type { Channel, DeliveryInput, DeliveryResult } from '../outbox/channel.ts';
import { greetingName } from './greetingName.ts';
import type { Mailer } from './message.ts';
import { ceilingReason, type RecipientLimits } from './recipientLimits.ts';
import { findConsent, mailProvider, mailSite, withdrawLinks } from './mailFacts.ts';

export interface MailChannelDeps {
  config: Config;
  db: Database;
  mailer: Mailer;
  drawMail: DrawMail;
  limits: RecipientLimits;
}

/** How long a lead email waits while the hourly limit is reached. */
const fullRetrySeconds = 600;

/** What isn't sent about a lead without evidence of its consent. */
export const noConsent: DeliveryResult = { outcome: 'cancelled', reason: 'There is no consent on record.' };

/** To the lead's author: who will call, or that nobody can yet; what was agreed to, and how to end it. Answers go to people, as STOP may be one. */
export function leadEmail({ config, db, mailer, drawMail, limits }: MailChannelDeps): Channel {
  async function deliver(input: DeliveryInput): Promise<DeliveryResult> {
    const site = mailSite(config);
    const { deliveryId, delivery, lead, provider, now, signal } = input;
    const evidence = await findConsent(db, lead.id);
    if (evidence === null) return noConsent;
    const { consent } = evidence;
    const { requestedBy } = delivery;
    const permission = await limits.permit({ deliveryId, requestedBy, address: lead.email, now });
    if (permission.kind === 'withheld') return { outcome: 'cancelled', reason: permission.reason };
    if (permission.kind === 'full')
      return { outcome: 'postponed', reason: ceilingReason, retryAfterSeconds: fullRetrySeconds };
    const firstName = greetingName(lead.firstName);
    const zipCode = zipFive(lead.zipCode);
    const { page: withdrawHref, oneClick } = withdrawLinks(config, site, lead.publicId);
    const drawn =
      provider === null
        ? await drawMail('leadNoProvider', { site, firstName, zipCode, consent, withdrawHref })
        : await drawMail('leadWelcome', {
            site,
            firstName,
            provider: mailProvider(provider, site),
            consent,
            withdrawHref,
          });
    const message = {
      id: deliveryId,
      // No name: it may be anything, and mail programs show it.
      to: { name: '', address: lead.email },
      replyTo: { name: config.mailFrom.name, address: site.contactEmail },
      drawn,
      unsubscribeUrl: oneClick,
    };
    return mailer.send(message, signal);
  }

  return { name: 'lead-email', heldReason: mailer.heldReason, deliver };
}

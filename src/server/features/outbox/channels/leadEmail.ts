import { zipFive } from '#shared/leads/zip.ts';
import type { Channel, DeliveryInput, DeliveryResult } from '../types.ts';
import { greetingName } from '../../mail/greetingName.ts';
import { ceilingReason } from '../../mail/recipientLimits.ts';
import {
  findConsent,
  type MailChannelDeps,
  mailProvider,
  mailSite,
  noConsent,
  withdrawLinks,
} from '../../mail/mailFacts.ts';

/** How long a lead email waits while the hourly limit is reached. */
const fullRetrySeconds = 600;

/**
 * To the person: which provider will call, or that there is none yet; the consent, and how to withdraw it. Staff read
 * the replies, as one may say STOP.
 */
export function createLeadEmail({ config, db, mailer, drawMail, limits }: MailChannelDeps): Channel {
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
      // No name: it can be anything, and mail programs show it.
      to: { name: '', address: lead.email },
      replyTo: { name: config.mailFrom.name, address: site.contactEmail },
      drawn,
      unsubscribeUrl: oneClick,
    };
    return mailer.send(message, signal);
  }

  return { name: 'lead-email', heldReason: mailer.heldReason, deliver };
}

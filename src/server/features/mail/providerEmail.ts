import { z } from 'zod';
import type { DeliveryTemplate } from '#shared/admin/deliveries.ts';
import type { DrawnMail } from '#shared/mail/mail.ts';
import type { ProviderRow } from '#server/db/schema/index.ts';
import type { Channel, DeliveryInput, DeliveryResult } from '../outbox/channel.ts';
import { type MailChannelDeps, noConsent } from './leadEmail.ts';
import { greetingName } from './greetingName.ts';
import { findConsent, knownHost, mailPerson, mailSite, outcomeLinks, withdrawnAt } from './mailFacts.ts';
import type { Message } from './message.ts';

/** A clinic's record comes from elsewhere: several addresses in one field, or none, are no address. */
const oneAddress = z.email();

/**
 * To the clinic: call them; or, once they withdrew, stop; or, once they were erased, delete them, by the lead's number alone. Answers go to the lead,
 * and to us where there is nobody to answer to.
 */
export function providerEmail({ config, db, mailer, drawMail }: Omit<MailChannelDeps, 'limits'>): Channel {
  async function drawLead(
    { delivery, lead, now }: DeliveryInput,
    provider: ProviderRow,
  ): Promise<DrawnMail | null> {
    const site = mailSite(config);
    const evidence = await findConsent(db, lead.id);
    if (evidence === null) return null;
    return drawMail('providerLead', {
      site,
      person: mailPerson(lead),
      consent: evidence.consent,
      cameFrom: await knownHost(db, config, evidence.host),
      correctsLeadId: delivery.correctsLeadId,
      outcomeHrefs: outcomeLinks(config, site, { publicId: lead.publicId, providerId: provider.id, now }),
    });
  }

  async function drawWithdrawn({ lead, now }: DeliveryInput): Promise<DrawnMail> {
    const at = (await withdrawnAt(db, lead.id)) ?? now;
    return drawMail('leadWithdrawn', {
      site: mailSite(config),
      person: mailPerson(lead),
      withdrawnAt: at.toISOString(),
    });
  }

  function drawErased({ lead, now }: DeliveryInput): Promise<DrawnMail> {
    const erasedAt = (lead.erasedAt ?? now).toISOString();
    return drawMail('leadErased', { site: mailSite(config), leadId: lead.id, erasedAt });
  }

  const draw: Record<DeliveryTemplate, typeof drawLead> = {
    lead: drawLead,
    withdrawn: drawWithdrawn,
    erased: drawErased,
  };

  async function deliver(input: DeliveryInput): Promise<DeliveryResult> {
    const { delivery, lead, provider, signal } = input;
    if (provider === null) return { outcome: 'cancelled', reason: 'There is no provider to write to.' };
    const address = oneAddress.safeParse(provider.email.trim());
    if (!address.success) return noAddress;
    const drawn = await draw[delivery.template](input, provider);
    if (drawn === null) return noConsent;
    const message: Message = {
      id: input.deliveryId,
      to: { name: provider.practiceName || provider.name, address: address.data },
      replyTo:
        delivery.template === 'lead'
          ? { name: greetingName(lead.firstName) ?? '', address: lead.email }
          : { name: config.mailFrom.name, address: config.contacts.email },
      drawn,
      unsubscribeUrl: null,
    };
    return mailer.send(message, signal);
  }

  return { name: 'provider-email', heldReason: mailer.heldReason, deliver };
}

/** Another try is of no use until somebody puts the record right; then staff have it sent again. */
const noAddress: DeliveryResult = {
  outcome: 'failed',
  permanent: true,
  status: null,
  answer: null,
  reason: 'The provider’s record holds no single e-mail address.',
};

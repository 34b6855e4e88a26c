import { and, eq, isNull, not } from 'drizzle-orm';
import { deliverableEmail } from '#shared/leads/emailAddress.ts';
import type { RenderedMail, MailPerson } from '#shared/mail/mail.ts';
import { leads, type ProviderRow } from '#server/db/schema/index.ts';
import type { Channel, DeliveryInput, DeliveryResult, FailedResult } from '../types.ts';
import { greetingName } from '../../mail/greetingName.ts';
import { findTrack } from '../../mail/leadTrack.ts';
import {
  findConsent,
  findWithdrawal,
  knownHost,
  type MailChannelDeps,
  mailPerson,
  mailSite,
  noConsent,
  oneAddress,
  outcomeLinks,
} from '../../mail/mailFacts.ts';
import { findZones } from '#shared/leads/zipZones.ts';
import { getLabel } from '#shared/providers/providerView.ts';
import { buildEmailId, type Message } from '../../mail/message.ts';
import { hasOtherEmail, hasReceived, listOtherStops, listOthersWithPhone } from '../../mail/sharedPhones.ts';
import { findLeftOut, findSuppression, isLeadSuppressed } from '../../suppression/suppressions.ts';
import { admitEmail, adoptComplaint, judgeSent, recordReach } from '../../unreachable/admitEmail.ts';

/** To the provider: call the lead, who gets the replies; stop; or delete the lead, identified by its number only. */
export function createProviderEmail({
  config,
  db,
  dataKeys,
  mailer,
  renderMail,
  findUnreachable,
}: Omit<MailChannelDeps, 'limits'>): Channel {
  async function renderLeadMail(
    { delivery, lead, leftOut, now }: DeliveryInput,
    provider: ProviderRow,
  ): Promise<RenderedMail | null> {
    const site = mailSite(config);
    const evidence = await findConsent(db, lead.id);
    if (evidence === null) return null;
    const otherStops = await listOtherStops(db, lead, provider.id);
    const { correctsLeadId: corrected } = delivery;
    // What the provider must no longer use isn't corrected, nor what it never received.
    const isKnown =
      corrected === lead.id || (corrected !== null && (await hasReceived(db, corrected, provider.id)));
    const correctsLeadId = isKnown && !otherStops.includes(corrected) ? corrected : null;
    const track = await findTrack(db, lead, provider.id);
    const cameFrom = await knownHost(db, config, evidence.host);
    return renderMail('providerLead', {
      site,
      zones: findZones(lead.zipCode),
      track: { ...track, sent: track.sent ?? now.toISOString() },
      person: mailPerson(lead, leftOut),
      consent: evidence.consent,
      cameFrom,
      isOwnSite: cameFrom !== null && cameFrom === provider.domain,
      correctsLeadId,
      correctsOtherEmail: await hasOtherEmail(db, lead, correctsLeadId),
      otherStops,
      earlier: await findEarlier(correctsLeadId, lead.id),
      outcomeHrefs: outcomeLinks(config, site, { publicId: lead.publicId, providerId: provider.id, now }),
    });
  }

  /** The details that the provider has from another lead, which nobody has withdrawn or erased since. */
  async function findEarlier(id: number | null, ownId: number): Promise<MailPerson | null> {
    if (id === null || id === ownId) return null;
    const { key } = await dataKeys.current('identity');
    const [earlier] = await db
      .select()
      .from(leads)
      .where(
        and(eq(leads.id, id), isNull(leads.erasedAt), isNull(leads.deletedAt), not(isLeadSuppressed(key))),
      );
    if (earlier === undefined) return null;
    const leftOut = await findLeftOut(db, key, [earlier]);
    return mailPerson(earlier, leftOut.get(earlier.id));
  }

  /**
   * A link in a message proves control of its mailbox only, and a stranger may have typed someone else's phone. So the
   * notice names the person and phone only if staff stopped the phone too, and nobody else has it.
   */
  async function renderWithdrawnMail(
    { lead, leftOut, now }: DeliveryInput,
    provider: ProviderRow,
  ): Promise<RenderedMail> {
    const { key: identityKey } = await dataKeys.current('identity');
    const { at, how } = (await findWithdrawal(db, lead.id)) ?? { at: now, how: 'page' };
    const othersWithPhone = await listOthersWithPhone(db, lead, { providerId: provider.id, identityKey });
    const stopped = await findSuppression({ db, dataKeys }, lead);
    const isPhoneStopped = how === 'staff' && stopped.phone !== null;
    const { leadId, email, name, phone } = mailPerson(lead, leftOut);
    return renderMail('leadWithdrawn', {
      site: mailSite(config),
      lead: { leadId, email },
      person: isPhoneStopped && othersWithPhone === null ? { name, phone } : null,
      othersWithPhone,
      isOnlyRequest: !lead.acceptanceConsent && stopped.email === null,
      withdrawnAt: at.toISOString(),
      zones: findZones(lead.zipCode),
    });
  }

  function renderErasedMail({ lead, now }: DeliveryInput): Promise<RenderedMail> {
    const erasedAt = (lead.erasedAt ?? now).toISOString();
    return renderMail('leadErased', { site: mailSite(config), leadId: lead.id, erasedAt });
  }

  async function render(input: DeliveryInput, provider: ProviderRow): Promise<RenderedMail | null> {
    const { template } = input.delivery;
    if (template === 'withdrawn') return renderWithdrawnMail(input, provider);
    return template === 'erased' ? renderErasedMail(input) : renderLeadMail(input, provider);
  }

  async function deliver(input: DeliveryInput): Promise<DeliveryResult> {
    const { delivery, lead, provider, now, signal } = input;
    if (provider === null) return { outcome: 'cancelled', reason: 'There is no provider to write to.' };
    const address = oneAddress.safeParse(provider.email.trim());
    if (!address.success) return noAddress;
    await adoptComplaint(db, { address: address.data, now }, findUnreachable);
    const admission = await admitEmail(db, { delivery, address: address.data, now });
    if (admission.kind === 'held') return admission.result;
    const rendered = await render(input, provider);
    if (rendered === null) return withoutConsent;
    const message: Message = {
      recipient: 'provider',
      id: buildEmailId(delivery),
      to: { name: getLabel(provider), address: address.data },
      replyTo:
        delivery.template === 'lead'
          ? { name: greetingName(lead.firstName) ?? '', address: deliverableEmail(lead.email) }
          : { name: config.mailFrom.name, address: config.contacts.email },
      rendered,
      unsubscribeUrl: null,
    };
    return judgeSent(await mailer.send(message, signal), admission);
  }

  return { name: 'provider-email', heldReason: mailer.heldReason, deliver, afterAttempt: recordReach };
}

/** The clinic doesn't have the lead, so it isn't cancelled: staff must see that, and call. */
const withoutConsent: FailedResult = {
  outcome: 'failed',
  refusal: 'recipient',
  status: null,
  answer: null,
  reason: noConsent.reason,
};

/** A retry fails until the record is corrected; then staff retry it. */
const noAddress: FailedResult = {
  outcome: 'failed',
  refusal: 'recipient',
  status: null,
  answer: null,
  reason: 'The provider’s record has no valid email address.',
};

import { deliverableEmail } from '#shared/leads/emailAddress.ts';
import { zipInText } from '#shared/leads/zip.ts';
import type { Config } from '#server/config/config.ts';
import type { LeadRow, ProviderRow } from '#server/db/schema/index.ts';
import type { Channel, DeliveryInput, DeliveryResult } from '../types.ts';
import { identityHash } from '../../identity/identityHashes.ts';
import { wasEmailCorrected } from '../../leads/changes/leadCorrections.ts';
import { greetingName } from '../../mail/greetingName.ts';
import { findTrack } from '../../mail/leadTrack.ts';
import { buildEmailId, type MailAddress, type Message } from '../../mail/message.ts';
import { unreachableReasons } from '../../mail/unreachableAddresses.ts';
import { stopAddress } from '../../mail/linkTokens.ts';
import { ceilingReason, isResend } from '../../mail/recipientLimits.ts';
import {
  findConsent,
  type MailChannelDeps,
  mailClinic,
  mailProvider,
  mailSite,
  noConsent,
  oneAddress,
  withdrawLinks,
} from '../../mail/mailFacts.ts';
import { findZones } from '#shared/leads/zipZones.ts';

/** How long a lead email waits while the hourly limit is reached. */
const fullRetrySeconds = 600;

/**
 * Who gets an answer. STOP withdraws if we receive mail, else staff read it: that address is always one of them. The
 * provider whose message it is gets questions, too.
 */
function listReplyTo(
  { inboundMail, secretKeys, contacts }: Config,
  {
    lead,
    sentTo,
    name,
    clinic,
  }: { lead: LeadRow; sentTo: string | null; name: string; clinic: ProviderRow | null },
): MailAddress[] {
  const own =
    inboundMail === null
      ? contacts.email
      : stopAddress(secretKeys, inboundMail.address, { publicId: lead.publicId, sentTo });
  const desk = oneAddress.safeParse(clinic?.email.trim());
  return [own, ...(desk.success ? [desk.data] : [])].map((address) => ({ name, address }));
}

/**
 * To the person: who will call, the consent, how to withdraw. It is from the provider on whose site the request was
 * left.
 */
export function createLeadEmail({
  config,
  db,
  dataKeys,
  mailer,
  renderMail,
  limits,
  findUnreachable,
}: MailChannelDeps): Channel {
  async function deliver(input: DeliveryInput): Promise<DeliveryResult> {
    const { delivery, lead, provider, now, signal } = input;
    const clinic = mailClinic(config, lead, provider);
    const site = mailSite(config, clinic);
    const evidence = await findConsent(db, lead.id);
    if (evidence === null) return noConsent;
    const { consent } = evidence;
    const { id: deliveryId, requestedBy, ignoresUnreachable } = delivery;
    const isByStaff = ignoresUnreachable || isResend({ requestedBy });
    const unreachable = isByStaff ? null : await findUnreachable(lead.email);
    if (unreachable !== null) return { outcome: 'cancelled', reason: unreachableReasons[unreachable] };
    const permission = await limits.permit({ deliveryId, requestedBy, address: lead.email, now });
    if (permission.kind === 'withheld') return { outcome: 'cancelled', reason: permission.reason };
    if (permission.kind === 'full')
      return { outcome: 'postponed', reason: ceilingReason, retryAfterSeconds: fullRetrySeconds };
    const firstName = greetingName(lead.firstName);
    const zipCode = zipInText(lead.zipCode);
    const { key: identityKey } = await dataKeys.current('identity');
    const emailHmac = identityHash(identityKey, 'email', lead.emailNorm);
    const { publicId } = lead;
    // Read after the lead: its address is at least as old.
    const sentTo = (await wasEmailCorrected(db, lead.id)) ? emailHmac : null;
    const { page: withdrawHref, oneClick } = withdrawLinks(config, site, { publicId, emailHmac, sentTo });
    const facts = {
      ...{ site, firstName, consent, withdrawHref, acceptsStop: config.inboundMail !== null },
      zones: findZones(lead.zipCode),
      track: await findTrack(db, lead, provider?.id ?? null),
    };
    const rendered =
      provider === null
        ? await renderMail('leadNoProvider', { ...facts, zipCode })
        : await renderMail('leadWelcome', { ...facts, provider: mailProvider(provider, site, lead) });
    const { mailFromVisitors } = config;
    const from = { name: clinic?.name ?? mailFromVisitors.name, address: mailFromVisitors.address };
    const message: Message = {
      recipient: 'person',
      id: buildEmailId(delivery),
      // No name: it can be anything, and mail programs show it.
      to: { name: '', address: deliverableEmail(lead.email) },
      from,
      replyTo: listReplyTo(config, {
        lead,
        sentTo,
        name: from.name,
        clinic: clinic === null ? null : provider,
      }),
      rendered,
      unsubscribeUrl: oneClick,
    };
    return mailer.send(message, signal);
  }

  return { name: 'lead-email', heldReason: mailer.heldReason, deliver };
}

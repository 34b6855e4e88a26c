import { addressLine } from '#shared/providers/addressParts.ts';
import { and, desc, eq } from 'drizzle-orm';
import { z } from 'zod';
import type { ConsentChannel } from '#shared/brand/consentTexts.ts';
import type { UnreachableCause } from '#shared/admin/adminLeads.ts';
import { buildRecord } from '#shared/formats/records.ts';
import { type LeadOutcome, leadOutcomes } from '#shared/leads/leadOutcomes.ts';
import type {
  RenderMail,
  MailClinic,
  MailProvider,
  MailConsent,
  MailPerson,
  MailSite,
} from '#shared/mail/mail.ts';
import { outcomePath, withdrawPath } from '#shared/pages/paths.ts';
import { providerOrigin } from '#shared/pages/site.ts';
import { listShortHours } from '#shared/providers/dayTimes.ts';
import { toProviderView } from '#shared/providers/providerView.ts';
import { visibleText } from '#shared/formats/text.ts';
import { counted } from '#shared/formats/writing.ts';
import { zipInText } from '#shared/leads/zip.ts';
import { type Config, publicConfig } from '#server/config/config.ts';
import type { DataKeys } from '#server/security/dataKeys.ts';
import type { Database, Queryable } from '../../db/connect.ts';
import {
  consentRecords,
  type ConsentWithdrawalRow,
  consentWithdrawals,
  type LeadRow,
  type ProviderRow,
  providers,
} from '../../db/schema/index.ts';
import { parseHost } from '../../tenant/parseHost.ts';
import { linkEnd, signAddressHash, signOutcome, signWithdrawal } from './linkTokens.ts';
import { toPageProvider } from '#server/db/providerFields.ts';
import { getIdentity } from '../identity/identity.ts';
import { contactHref, contactPhone, leadContact } from '../identity/leadContact.ts';
import { listOptionalTexts } from '../identity/leadFieldValues.ts';
import { plainWords, withoutLinks } from './greetingName.ts';
import type { Mailer } from './message.ts';
import type { RecipientLimits } from './recipientLimits.ts';

export interface MailChannelDeps {
  config: Config;
  db: Database;
  dataKeys: Pick<DataKeys, 'current'>;
  mailer: Mailer;
  renderMail: RenderMail;
  limits: RecipientLimits;
  /** Why no automatic message is sent to an address; null if one may be sent. */
  findUnreachable: (address: string) => Promise<UnreachableCause | null>;
}

/** The result for a lead without evidence of its consent. */
export const noConsent = { outcome: 'cancelled', reason: 'There is no consent on record.' } as const;

/** Records of providers are imported: the field may contain several addresses, or none. */
export const oneAddress = z.email();

/** `clinic`: whose message it is; left out: the brand's. */
export function mailSite(config: Config, clinic: MailClinic | null = null): MailSite {
  const { mainOrigin, contacts } = publicConfig(config);
  return { origin: mainOrigin, postalAddress: contacts.postalAddress, contactEmail: contacts.email, clinic };
}

/** Mail programs show neither SVG, except ours, which is drawn as PNG, nor pictures in the message's own text. */
function logoHref(path: string | null, origin: string): string | null {
  return path === null || path.startsWith('data:') || /\.svg(?:[?#]|$)/i.test(path)
    ? null
    : `${origin}${path}`;
}

/** The provider on whose site a lead was left, if it still gets the lead; null: the message is the brand's. */
export function mailClinic(
  config: Config,
  lead: Pick<LeadRow, 'siteProviderId'>,
  provider: ProviderRow | null,
): MailClinic | null {
  if (provider?.status !== 't' || lead.siteProviderId !== provider.id) return null;
  const { label, logoUrl } = toProviderView(toPageProvider(provider));
  const { mainOrigin } = publicConfig(config);
  return { name: visibleText(label), logoUrl: logoHref(logoUrl, mainOrigin), hue: provider.themeHue };
}

/** A provider as its own pages show it, with its distance from the lead's ZIP code. */
export function mailProvider(
  provider: ProviderRow,
  { origin }: MailSite,
  lead: Pick<LeadRow, 'providerId' | 'matchDistanceMiles'>,
): MailProvider {
  const { id, label, phone, phoneHref, address, zipCode, domain } = toProviderView(toPageProvider(provider));
  const home = `${providerOrigin({ domain }, origin)}/`;
  const miles = lead.providerId === id ? lead.matchDistanceMiles : null;
  return {
    name: visibleText(label),
    phone,
    phoneHref,
    address: address === null ? null : addressLine(address, zipCode),
    hours: provider.hours === null ? [] : listShortHours(provider.hours),
    siteHref: domain === null ? `${home}?providerId=${id}` : home,
    distance: miles === null ? null : counted(Math.max(1, Math.round(miles)), 'mile'),
  };
}

/** An address of letters, digits and a few other characters, which mail programs can only read as an address. */
const plainEmail =
  /^[a-z0-9_+-]+(?:[.'][a-z0-9_+-]+)*@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z](?:[a-z0-9-]*[a-z0-9])$/i;

/** The contact details of a lead, for its provider. `leftOut`: numbers that it doesn't get. */
export function mailPerson(lead: LeadRow, leftOut: readonly string[] = []): MailPerson {
  const { id: leadId, firstName, lastName, zipCode } = lead;
  const contact = leadContact(lead, leftOut);
  return {
    leadId,
    name: withoutLinks(`${firstName} ${lastName}`),
    phone: contactPhone(contact),
    phoneHref: contactHref(contact),
    phoneTyped: contact.typed,
    email: [contact.email, getIdentity(lead).emailNorm].find((address) => plainEmail.test(address)) ?? null,
    zipCode: zipInText(zipCode),
    further: listOptionalTexts(lead, 'providerEmail').flatMap(({ label, text, isTyped }) => {
      const words = isTyped ? plainWords(text) : text;
      return words === '' ? [] : [{ label, text: words }];
    }),
  };
}

/** The host if it is ours or an active provider's; null for any other, which the sender of a request could choose. */
export async function knownHost(db: Queryable, config: Config, host: string): Promise<string | null> {
  const match = parseHost(host, config);
  if (match.kind === 'main') return match.host;
  if (match.kind === 'invalid') return null;
  const isActive = and(eq(providers.domain, match.host), eq(providers.status, 't'));
  return (await db.$count(providers, isActive)) === 0 ? null : match.host;
}

const channels: readonly ConsentChannel[] = ['call', 'email', 'sms'];

/** What the person agreed to and where; null without evidence. The text is null unless it is registered. */
export async function findConsent(
  db: Queryable,
  leadId: number,
): Promise<{ consent: MailConsent; host: string } | null> {
  const [row] = await db
    .select({
      text: consentRecords.textShown,
      isRegistered: consentRecords.textKnown,
      at: consentRecords.acceptedAt,
      channels: consentRecords.channels,
      host: consentRecords.host,
    })
    .from(consentRecords)
    .where(eq(consentRecords.leadId, leadId))
    .orderBy(desc(consentRecords.id))
    .limit(1);
  if (row === undefined) return null;
  return {
    consent: {
      text: row.isRegistered ? row.text : null,
      at: row.at.toISOString(),
      channels: channels.filter((channel) => row.channels.includes(channel)),
    },
    host: row.host,
  };
}

/** When and by which way a lead's consent was withdrawn the last time; null if it wasn't. */
export async function findWithdrawal(
  db: Queryable,
  leadId: number,
): Promise<Pick<ConsentWithdrawalRow, 'at' | 'how'> | null> {
  const [row] = await db
    .select({ at: consentWithdrawals.at, how: consentWithdrawals.how })
    .from(consentWithdrawals)
    .where(eq(consentWithdrawals.leadId, leadId))
    .orderBy(desc(consentWithdrawals.id))
    .limit(1);
  return row ?? null;
}

/** Where the person withdraws: the page that asks for confirmation, and the URL that mail programs post to. */
export function withdrawLinks(
  { secretKeys }: Config,
  { origin }: MailSite,
  { publicId, emailHmac, sentTo }: { publicId: string; emailHmac: string; sentTo: string | null },
): { page: string; oneClick: string } {
  const token = signWithdrawal(secretKeys, publicId, sentTo);
  const hash = signAddressHash(secretKeys, emailHmac);
  return {
    page: `${origin}${withdrawPath(token, hash)}`,
    oneClick: `${origin}/api/unsubscribe?token=${token}&hash=${hash}`,
  };
}

/** The links by which a provider reports the outcome of a lead: one each. They expire. */
export function outcomeLinks(
  { secretKeys }: Config,
  { origin }: MailSite,
  { publicId, providerId, now }: { publicId: string; providerId: number; now: Date },
): Record<LeadOutcome, string> {
  const endsAt = linkEnd(now);
  const getLink = (outcome: LeadOutcome): string =>
    `${origin}${outcomePath(signOutcome(secretKeys, { publicId, providerId, outcome, endsAt }))}`;
  return buildRecord(leadOutcomes, getLink);
}

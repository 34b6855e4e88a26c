import type { ConsentChannel } from '../brand/consentTexts.ts';
import type { LeadOutcome } from '../leads/leadOutcomes.ts';

/** A provider in a message. Null for what its record lacks. */
export interface MailProvider {
  name: string;
  phone: string | null;
  /** `tel:` link. */
  phoneHref: string | null;
  address: string | null;
  /** When it is open, by its own clock: a line for days with equal times. Empty if its record doesn't say. */
  hours: readonly string[];
  /** Its own site, or its page on the main one. */
  siteHref: string;
  /** From the person's ZIP code, as a phrase: '7 miles'. */
  distance: string | null;
}

/** When each stage of a request was reached (ISO 8601); null: not known. */
export interface MailTrack {
  received: string;
  sent: string | null;
  reached: string | null;
  booked: string | null;
}

/** The times of a message, and the zones in which it writes them. */
interface MailTimes {
  track: MailTrack;
  /** IANA zones of the person's ZIP code. Empty: the message says UTC. */
  zones: readonly string[];
}

/** A person in a message to a provider. */
export interface MailPerson {
  /** The lead's number, by which a later message may be all that names it. */
  leadId: number;
  name: string;
  /** The number, with its extension, and nothing else that was typed. */
  phone: string;
  /** `tel:` link, in E.164. */
  phoneHref: string;
  /** What was typed, where it says more than the number: digits, separators and a few fixed words. */
  phoneTyped: string | null;
  /** Null: mail programs could take it for a link. */
  email: string | null;
  /** Five digits; null: what was typed isn't a ZIP code. */
  zipCode: string | null;
  /** What else was typed, reduced to plain words. */
  further: readonly { label: string; text: string }[];
}

/** What was agreed to: the exact text if it is a registered one, else null; when (ISO 8601); the channels it covers. */
export interface MailConsent {
  text: string | null;
  at: string;
  channels: readonly ConsentChannel[];
}

/** Data for the frame of every message. */
export interface MailSite {
  /** `https://brand.example`, the origin of its images and pages. */
  origin: string;
  postalAddress: string;
  contactEmail: string;
  /** The provider on whose site the person left the request, which the message is from. Null: it is the brand's. */
  clinic: MailClinic | null;
}

export interface MailClinic {
  name: string;
  /** On our own origin; null: mail programs show its name. */
  logoUrl: string | null;
  /** Degrees 0–359; null: the brand's own colors. */
  hue: number | null;
}

interface LeadMail extends MailTimes {
  site: MailSite;
  /** Null: what was typed doesn't look like a first name. */
  firstName: string | null;
  consent: MailConsent;
  /** The page asks first. Opening it withdraws nothing. */
  withdrawHref: string;
  /** Whether a reply of STOP withdraws. */
  acceptsStop: boolean;
}

/** The data of each message. */
export interface MailProps {
  /** To the lead, with the provider that will call. */
  leadWelcome: LeadMail & { provider: MailProvider };
  /** To the lead, while there is no provider. */
  leadNoProvider: LeadMail & { zipCode: string | null };
  /** To the provider: call them. */
  providerLead: MailTimes & {
    site: MailSite;
    person: MailPerson;
    consent: MailConsent;
    /** Host of the site it came from; null: it is neither ours nor a provider's. */
    cameFrom: string | null;
    /** It came from the provider's own site. */
    isOwnSite: boolean;
    /** The person's earlier lead with other contact details, or this lead if staff corrected it; else null. */
    correctsLeadId: number | null;
    /** Whether that lead has another email address, so that it may be another person's. */
    correctsOtherEmail: boolean;
    /** Leads with the same phone and another email address that this provider was asked to stop contacting. */
    otherStops: readonly number[];
    /** The details of that earlier lead; null: they aren’t shown. */
    earlier: MailPerson | null;
    outcomeHrefs: Readonly<Record<LeadOutcome, string>>;
  };
  /** To the provider: stop contacting them. */
  leadWithdrawn: {
    site: MailSite;
    lead: Pick<MailPerson, 'leadId' | 'email'>;
    /** Null: only the email address withdrew, and the notice names neither the person nor the phone. */
    person: Pick<MailPerson, 'name' | 'phone'> | null;
    /** Valid leads of other email addresses with the same phone that the provider has; null: nobody else has the phone. */
    othersWithPhone: readonly number[] | null;
    /** Whether only this request was withdrawn, by the browser that sent it, and not its email address. */
    isOnlyRequest: boolean;
    withdrawnAt: string;
    zones: readonly string[];
  };
  /** To the provider: erase the person too. It contains nothing about the person. */
  leadErased: { site: MailSite; leadId: number; erasedAt: string };
}

export type MailName = keyof MailProps;

/** A message as it is sent; `html` is a whole document. */
export interface RenderedMail {
  subject: string;
  html: string;
  text: string;
}

/** Renders a message. The server gets it from the built client (render/bundle.ts). */
export type RenderMail = <Name extends MailName>(name: Name, props: MailProps[Name]) => Promise<RenderedMail>;

/** Text as HTML. */
function escapeText(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** A paragraph of a plain message, a link, or a list. */
type PlainBlock = string | { href: string } | { items: readonly string[] };

function renderBlock(block: PlainBlock): string {
  if (typeof block === 'string') return `<p>${escapeText(block)}</p>`;
  if ('items' in block)
    return `<ul>${block.items.map((item) => `<li>${escapeText(item)}</li>`).join('')}</ul>`;
  const href = escapeText(block.href);
  return `<p><a href="${href}">${href}</a></p>`;
}

function toLines(block: PlainBlock): readonly string[] {
  if (typeof block === 'string') return [block];
  return 'items' in block ? block.items.map((item) => `- ${item}`) : [block.href];
}

/** A message of a few paragraphs, without pictures. */
export function renderPlainMail(subject: string, blocks: readonly PlainBlock[]): RenderedMail {
  const title = escapeText(subject);
  return {
    subject,
    text: blocks.flatMap(toLines).join('\n\n'),
    html: `<!doctype html><html lang="en"><head><title>${title}</title></head><body>${blocks.map(renderBlock).join('')}</body></html>`,
  };
}

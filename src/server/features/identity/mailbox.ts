import { getDomain } from 'tldts-icann';
import { normalizedEmail } from '#shared/leads/emailAddress.ts';
import { isMailService } from '#server/tenant/normalizeDomain.ts';

const googleDomain = 'gmail.com';
const googleDomains: ReadonlySet<string> = new Set([googleDomain, 'googlemail.com']);

/** Reserved for examples, and nobody's. */
const exampleDomains: ReadonlySet<string> = new Set(['example.com', 'example.net', 'example.org']);

/** Addresses there have no hyphen except before the keyword of a disposable one. Yahoo Japan is another company. */
const yahooDomain = /^(?:yahoo\.(?:com|[a-z]{2}|com?\.(?!jp$)[a-z]{2})|(?:ymail|rocketmail|myyahoo)\.com)$/;

/** What precedes a tag, and the tag. No tag begins an address. */
const taggedLocal = /^([+=]*[^+=]+)[+=]/;
const taggedYahooLocal = /^([+=-]*[^+=-]+)[+=-]/;

interface AddressParts {
  local: string;
  domain: string;
}

function toParts(address: string): AddressParts | null {
  const at = address.lastIndexOf('@');
  return at < 1 ? null : { local: address.slice(0, at), domain: address.slice(at + 1) };
}

/**
 * The mailbox that an address as typed leads to, in one spelling: normalized, without a tag after `+` or `=`, and by the
 * rules of Google (dots mean nothing, two domains) and Yahoo (`name-keyword`). Other services use dots and hyphens to
 * tell people apart, so they stay. Two addresses with one mailbox may still be two people's: it is for limits, and for
 * questions to staff. `email_mailbox` in Postgres returns the same for a normalized address.
 */
export function getMailbox(email: string): string {
  const address = normalizedEmail(email.trim());
  const parts = toParts(address);
  if (parts === null) return address;
  const { local, domain } = parts;
  const base = (yahooDomain.test(domain) ? taggedYahooLocal : taggedLocal).exec(local)?.[1] ?? local;
  if (!googleDomains.has(domain)) return `${base}@${domain}`;
  return `${base.replaceAll('.', '') || base}@${googleDomain}`;
}

/** An address as typed, normalized and without a plus tag: what version 1.0.1 took for the mailbox. */
export function untaggedEmail(email: string): string {
  const emailNorm = normalizedEmail(email.trim());
  const at = emailNorm.lastIndexOf('@');
  const tag = emailNorm.indexOf('+');
  return tag > 0 && tag < at ? emailNorm.slice(0, tag) + emailNorm.slice(at) : emailNorm;
}

/** Addresses that may all lead to one person, although no rule says so. */
interface RecipientGroups {
  /** The domain and the letters that the address begins with. */
  prefix: string;
  /** The domain with all below it. */
  domain: string;
  /** Whether strangers share the domain. */
  isShared: boolean;
}

/**
 * The groups of an address as typed. Its first letters without dots are the same for `b.omb@`, `bomb-1@`, `7bomb@` and
 * `bomb_news@`. A domain that isn't a mail service's belongs to few people, maybe to one.
 */
export function recipientGroups(email: string): RecipientGroups {
  const mailbox = getMailbox(email);
  const { local, domain } = toParts(mailbox) ?? { local: mailbox, domain: '' };
  const [letters = local] = /\p{L}[\p{L}\p{M}.]*/u.exec(local) ?? [];
  return {
    prefix: `${letters.replaceAll('.', '')}@${domain}`,
    // With all below it: subdomains belong to its owner.
    domain: getDomain(domain, { extractHostname: false, validateHostname: false }) ?? domain,
    isShared: isMailService(domain) || exampleDomains.has(domain),
  };
}

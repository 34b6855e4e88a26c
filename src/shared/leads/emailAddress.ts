import { plainText, visibleText } from '../formats/text.ts';

const addressPattern = /^[^\s@<>()[\]\\,;:"]+@(?:[^\s@<>()[\]\\,;:".]+\.)+[^\s@<>()[\]\\,;:".]{2,}$/;
/** Format characters and others that are never displayed. Two addresses that differ only in them look the same. */
const invisible = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/u;
const asciiDomainPattern = /^(?:[a-z0-9_-]+\.)+[a-z0-9_-]{2,}$/;

/** The domain in its ASCII form (UTS #46), which is what mail servers look up. Null if it has none. */
function asciiDomain(domain: string): string | null {
  // A URL parser ends the host at the first three, and decodes what follows the last.
  if (/[/?#%]/.test(domain)) return null;
  const url = `http://${domain}`;
  const host = URL.canParse(url) ? new URL(url).hostname : '';
  return asciiDomainPattern.test(host) ? host : null;
}

function getDomain(address: string): string | null {
  return asciiDomain(address.slice(address.lastIndexOf('@') + 1));
}

/** What keyboards and their corrections type for an apostrophe. NFKC makes a space of the last one. */
const apostrophes = /[\u2018\u2019\u02bc`\u00b4]/g;

/** Curly quotation marks that copies and corrections put around an address, and the period or comma of a keyboard. */
const before = /^[\p{Pi}\p{Pf}\u201e]{1,3}/u;
const after = /[\p{Pi}\p{Pf}]{0,3}[.,]?[\p{Pi}\p{Pf}]{0,3}$/u;

/**
 * The address that mail is sent to: an address as typed with its characters in their plain form, and without what was
 * added around it. Text that isn't an address stays as it is.
 */
export function deliverableEmail(typed: string): string {
  const [local = '', ...rest] = typed.replace(before, '').split(/(?=[@\uff20])/);
  const address = plainText([local.replace(apostrophes, "'"), ...rest].join('')).replace(after, '');
  return addressPattern.test(address) ? address : typed;
}

/** Whether the text is an email address with a domain that mail servers can look up, once it is made deliverable. */
export function isEmailAddress(typed: string): boolean {
  if (invisible.test(typed)) return false;
  const address = deliverableEmail(typed);
  return addressPattern.test(address) && !invisible.test(address) && getDomain(address) !== null;
}

/**
 * An email address as identities are compared: deliverable, the local part in lower case, the domain in its ASCII form.
 * Every spelling of a domain yields the same result. Text that isn't an email address is returned in lower case.
 */
export function normalizedEmail(typed: string): string {
  const address = deliverableEmail(typed);
  const local = address.slice(0, address.lastIndexOf('@')).toLowerCase();
  const domain = getDomain(address);
  return domain === null ? address.toLowerCase() : `${local}@${domain}`;
}

/** Quotation marks and what else stands around an address in a text. An apostrophe inside the address is part of it. */
const addressInText =
  /[^\s@<>()[\]{}\\,;:"|/=!?*'\u201c-\u201f\u00ab\u00bb][^\s@<>()[\]{}\\,;:"|/=!?*\u201c-\u201f\u00ab\u00bb]*@[\p{L}\p{M}\p{N}.-]+/gu;

/** All email addresses in a text, as identities are compared. */
export function findEmails(typed: string): string[] {
  const text = visibleText(plainText(typed.replace(apostrophes, "'")));
  return [...text.matchAll(addressInText)].map(([address]) => normalizedEmail(address.replace(/[.-]+$/, '')));
}

import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

/**
 * The normal forms of 1.0.0, frozen. Hashes in `suppressions`, `unreachable_addresses`, `recipient_emails` and
 * `erasure_ledger` that 1.0.0 stored are of these forms, and often nothing else is left of the person. So every look-up
 * asks for the form of 1.0.0 and for the current one (identity.ts). Never change what these functions return: a later
 * change of the current form gets a file like this one.
 */

const asciiDomainPattern = /^(?:[a-z0-9_-]+\.)+[a-z0-9_-]{2,}$/;

function asciiDomain(domain: string): string | null {
  if (/[/?#%]/.test(domain)) return null;
  const url = `http://${domain}`;
  const host = URL.canParse(url) ? new URL(url).hostname : '';
  return asciiDomainPattern.test(host) ? host : null;
}

/** `email_norm` as 1.0.0 stored it. */
export function firstEmailNorm(address: string): string {
  const at = address.lastIndexOf('@');
  const domain = asciiDomain(address.slice(at + 1));
  return domain === null ? address.toLowerCase() : `${address.slice(0, at).toLowerCase()}@${domain}`;
}

/** The mailbox of an address as 1.0.0 counted it: without a plus tag. */
export function firstMailbox(address: string): string {
  const emailNorm = firstEmailNorm(address.trim());
  const at = emailNorm.lastIndexOf('@');
  const tag = emailNorm.indexOf('+');
  return tag > 0 && tag < at ? emailNorm.slice(0, tag) + emailNorm.slice(at) : emailNorm;
}

function storedText(typed: string): string {
  return typed.length <= 100 ? typed : typed.replace(/\D+/g, (run) => run.slice(0, 5)).toWellFormed();
}

/** `phone_e164` as 1.0.0 stored it: null outside of 10 to 15 digits, extensions and remarks included. */
export function firstPhoneE164(typed: string): string | null {
  const stored = storedText(typed);
  const digits = stored.replace(/\D/g, '');
  if (digits.length < 10 || digits.length > 15) return null;
  const parsed = parsePhoneNumberFromString(stored, 'US');
  if (parsed?.isPossible() === true) return parsed.number;
  return digits.length === 10 && !stored.trim().startsWith('+') ? `+1${digits}` : `+${digits}`;
}

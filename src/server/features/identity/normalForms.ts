import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { findPhones, type FindInPlans, phoneText, type PhoneInText } from '#shared/leads/phone.ts';

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

/** Without the zero of a national number, it may have become too short. */
const storable = /^\+\d{10,15}$/;

const findInPlans: FindInPlans = (e164) => {
  const parsed = parsePhoneNumberFromString(e164);
  if (parsed?.isPossible() !== true || !storable.test(parsed.number)) return null;
  return { e164: parsed.number, countryCode: parsed.countryCallingCode, isValid: parsed.isValid() };
};

/** A ten-digit number as most people type it. */
const plainPattern = /^(?:\+?1[ .-]?)?\(?([2-9]\d{2})\)?[ .-]?(\d{3})[ .-]?(\d{4})$/;

/** The E.164 form of a number that is nothing else, quickly; null for any other text. */
export function plainNumber(typed: string): string | null {
  const [, area, exchange, line] = plainPattern.exec(typed) ?? [];
  return line === undefined ? null : `+1${area}${exchange}${line}`;
}

/** `findPhones` with the numbering plans of all countries. */
export function readPhones(typed: string): PhoneInText[] {
  const e164 = plainNumber(typed);
  if (e164 === null) return findPhones(typed, findInPlans);
  return [{ e164, extension: null, isSure: true, start: 0, end: phoneText(typed).length }];
}

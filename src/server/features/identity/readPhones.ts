import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { findPhones, type FindInPlans, phoneText, type PhoneInText } from '#shared/leads/phone.ts';

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

import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { phoneE164, storedPhone } from '#shared/leads/phone.ts';

/**
 * E.164 form of a phone number as typed, without its extension. A number without a country code is North American.
 * A number that can't exist keeps its digits: a lead is never refused for it. Returns null outside of 10 to 15 digits.
 */
export function e164Of(typed: string): string | null {
  // Leads keep the stored form, and must get the same result from it later.
  const stored = storedPhone(typed);
  const asTyped = phoneE164(stored);
  if (asTyped === null) return null;
  const parsed = parsePhoneNumberFromString(stored, 'US');
  return parsed?.isPossible() === true ? parsed.number : asTyped;
}

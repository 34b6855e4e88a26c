import { isEmailAddress } from './emailAddress.ts';
import { type LeadField, leadFields, leadLimits } from './leadFieldList.ts';
import { phoneDigits } from './phone.ts';

export { consentRequired, type LeadField, leadFields, leadLimits } from './leadFieldList.ts';

function name(label: string) {
  return (value: string): string | null => {
    if (value === '') return `${label} is required`;
    return value.length > leadLimits.nameLengthMax
      ? `${label} must be at most ${leadLimits.nameLengthMax} characters`
      : null;
  };
}

/**
 * One rule a field: the message to show, or null when the (cleaned) value is fine. The same on the server and in the
 * browser.
 */
export const leadFieldRules: Record<LeadField, (value: string) => string | null> = {
  first_name: name('First name'),
  last_name: name('Last name'),
  email: (value) => {
    if (value === '') return 'Email is required';
    return value.length > leadLimits.emailLengthMax || !isEmailAddress(value) ? 'Invalid email format' : null;
  },
  phone: (value) => {
    if (value === '') return 'Phone number is required';
    const count = phoneDigits(value).length;
    return count < 10 || count > 15 ? 'Phone number must have 10 to 15 digits' : null;
  },
  // Any other text is accepted. A lead that cannot be placed is stored unmatched.
  zip_code: (value) => (value === '' ? 'Zip code is required' : null),
};

/**
 * Space, and what is not even that: soft hyphen, zero-width and direction marks, as a copied address often ends in one.
 */
const blank = /[\s\u00ad\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/;

/** Without blanks around it. Not by one pattern: `+$` takes quadratic time on a long run of spaces. */
function trimBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && blank.test(text.charAt(start))) start += 1;
  while (end > start && blank.test(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/**
 * A field as it is judged and stored: well-formed Unicode, no control characters (Postgres refuses NUL), nothing blank
 * around it.
 */
export function cleanText(value: string): string {
  return trimBlanks(value.toWellFormed().replace(/\p{Cc}+/gu, ' '));
}

/** All messages by field. Empty if the form may be sent. */
export function leadFieldErrors(values: Record<LeadField, string>): Partial<Record<LeadField, string>> {
  const errors: Partial<Record<LeadField, string>> = {};
  for (const field of leadFields) {
    const message = leadFieldRules[field](cleanText(values[field]));
    if (message !== null) errors[field] = message;
  }
  return errors;
}

import { deliverableEmail, isEmailAddress } from './emailAddress.ts';
import {
  leadFieldTable,
  leadLimits,
  type RequiredField,
  type RequiredLeadField,
  requiredLeadFields,
} from './leadFieldTable.ts';
import { visibleText } from '../formats/text.ts';
import { findPhones, storedPhone } from './phone.ts';

/** What is wrong with a field. */
export type LeadFault = 'required' | 'tooLong' | 'invalid';

/** The sentences of the rules. The brand's are in shared/brand/leadMessages.ts. */
export interface LeadMessages {
  fields: Record<RequiredLeadField, { required: string } & Partial<Record<LeadFault, string>>>;
  consentRequired: string;
}

function nameFault(value: string): LeadFault | null {
  if (value === '') return 'required';
  return value.length > leadLimits.nameLengthMax ? 'tooLong' : null;
}

/** One rule per kind of required field, for a (cleaned) value. The same on the server and in the browser. */
export const leadFieldFaults: Record<RequiredField['kind'], (value: string) => LeadFault | null> = {
  name: nameFault,
  email: (value) => {
    if (value === '') return 'required';
    const length = Math.max(value.length, deliverableEmail(value).length);
    return length > leadLimits.emailLengthMax || !isEmailAddress(value) ? 'invalid' : null;
  },
  phone: (value) => {
    if (value === '') return 'required';
    return findPhones(storedPhone(value)).length === 0 ? 'invalid' : null;
  },
  // Any other text is accepted. A lead that cannot be placed is stored unmatched.
  zip: (value) => (value === '' ? 'required' : null),
};

/** The message for a (cleaned) value, or null if it is valid. */
export function leadFieldError(
  field: RequiredLeadField,
  value: string,
  messages: LeadMessages,
): string | null {
  const fault = leadFieldFaults[leadFieldTable[field].kind](value);
  const texts = messages.fields[field];
  return fault === null ? null : (texts[fault] ?? texts.required);
}

/** Also soft hyphen, zero-width and direction marks, which a copied address often ends in. */
const blank = /[\s\u00ad\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/;

/** Without blanks around it. Not by one pattern: `+$` takes quadratic time on a long run of spaces. */
function trimBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && blank.test(text.charAt(start))) start += 1;
  while (end > start && blank.test(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** A field as judged and stored: well-formed Unicode, no control characters (Postgres refuses NUL), trimmed. */
export function cleanText(value: string): string {
  return trimBlanks(value.toWellFormed().replace(/\p{Cc}+/gu, ' '));
}

/** A name as it is judged and stored: others read it in lists and messages, so it has nothing that they can't see. */
export function cleanName(value: string): string {
  return cleanText(visibleText(value));
}

/** A required field as it is judged. */
export function cleanLeadField(field: RequiredLeadField, value: string): string {
  return leadFieldTable[field].kind === 'name' ? cleanName(value) : cleanText(value);
}

/** An optional text as it is stored: what others can see of it, cut to size. Undefined if nothing is left. */
export function cleanOptionalText(value: unknown, lengthMax: number | null): string | undefined {
  if (typeof value !== 'string') return undefined;
  return cleanName(cleanName(value).slice(0, lengthMax ?? undefined)) || undefined;
}

/** All messages by field. Empty if the form may be sent. */
export function leadFieldErrors(
  values: Readonly<Record<RequiredLeadField, string>>,
  messages: LeadMessages,
): Partial<Record<RequiredLeadField, string>> {
  const errors: Partial<Record<RequiredLeadField, string>> = {};
  for (const field of requiredLeadFields) {
    const message = leadFieldError(field, cleanLeadField(field, values[field]), messages);
    if (message !== null) errors[field] = message;
  }
  return errors;
}

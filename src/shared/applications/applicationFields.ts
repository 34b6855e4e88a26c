import { cleanName, cleanText, leadFieldFaults } from '../leads/leadFields.ts';
import { leadLimits } from '../leads/leadFieldTable.ts';
import { webHref } from '../providers/tenant.ts';
import { zipInText } from '../leads/zip.ts';

/** The fields of an application, in the order of display. */
export const applicationFields = [
  'practice_name',
  'contact_name',
  'role',
  'email',
  'phone',
  'zip_code',
  'website',
  'message',
] as const;
export type ApplicationField = (typeof applicationFields)[number];

/**
 * The field of the question about an area. Its name differs from the application's, so that a message belongs to one of
 * them.
 */
export const areaField = 'area_zip';

export const applicationLimits = {
  practiceNameLengthMax: 200,
  nameLengthMax: leadLimits.nameLengthMax,
  roleLengthMax: 100,
  emailLengthMax: leadLimits.emailLengthMax,
  /** A ZIP+4 with its hyphen. */
  zipLengthMax: 10,
  websiteLengthMax: 300,
  messageLengthMax: 2000,
} as const;

function bounded(label: string, lengthMax: number) {
  return (value: string): string | null =>
    value.length > lengthMax ? `${label} must be at most ${lengthMax} characters` : null;
}

function needed(label: string, lengthMax: number) {
  const tooLong = bounded(label, lengthMax);
  return (value: string): string | null => (value === '' ? `${label} is required` : tooLong(value));
}

/** A field with the rule of a lead's. */
function like(field: 'email' | 'phone', label: string, invalid: string) {
  return (value: string): string | null => {
    const fault = leadFieldFaults[field](value);
    if (fault === null) return null;
    return fault === 'required' ? `${label} is required` : invalid;
  };
}

/** The message at the unchecked consent box. */
export const applicationConsentRequired = 'You must agree to receive communications to continue.';

/** One rule per field, for server and browser: the message, or null if the cleaned value is valid. */
export const applicationFieldRules: Record<ApplicationField, (value: string) => string | null> = {
  practice_name: needed('Practice name', applicationLimits.practiceNameLengthMax),
  contact_name: needed('Your name', applicationLimits.nameLengthMax),
  role: needed('Role or credential', applicationLimits.roleLengthMax),
  email: like('email', 'Email', 'Invalid email format'),
  phone: like('phone', 'Phone number', 'Phone number must have 10 to 15 digits'),
  // Unlike a lead, a practice must have a place on the map.
  zip_code: (value) => {
    if (value === '') return 'Zip code is required';
    return zipInText(value) === null ? 'Please enter a valid 5-digit zip code' : null;
  },
  website: (value) => {
    if (value === '') return null;
    if (webHref(value) === null) return 'Website must be a web address, such as clinic.example.com';
    return bounded('Website', applicationLimits.websiteLengthMax)(value);
  },
  message: bounded('Message', applicationLimits.messageLengthMax),
};

const names: ReadonlySet<ApplicationField> = new Set(['practice_name', 'contact_name', 'role']);

/** A field as it is checked and stored. A message keeps its lines. */
export function cleanApplicationField(field: ApplicationField, value: string): string {
  if (names.has(field)) return cleanName(value);
  if (field !== 'message') return cleanText(value);
  return value
    .split(/\r\n|\r|\n/)
    .map(cleanText)
    .join('\n')
    .trim();
}

/** All messages by field. Empty if the form may be sent. */
export function applicationFieldErrors(
  values: Record<ApplicationField, string>,
): Partial<Record<ApplicationField, string>> {
  const errors: Partial<Record<ApplicationField, string>> = {};
  for (const field of applicationFields) {
    const message = applicationFieldRules[field](cleanApplicationField(field, values[field]));
    if (message !== null) errors[field] = message;
  }
  return errors;
}

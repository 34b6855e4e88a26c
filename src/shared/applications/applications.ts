import { z } from 'zod';
import {
  applicationConsentRequired,
  type ApplicationField,
  applicationFieldRules,
  applicationLimits,
  cleanApplicationField,
} from './applicationFields.ts';
import { sentText } from '../leads/leads.ts';
import { storedPhone } from '../leads/phone.ts';
import { honeypotName } from '../leads/quarantine.ts';
import { zipInText } from '../leads/zip.ts';

/** The form's name in render tokens. */
export const applicationFormKey = 'application';

/** The stages of an application. */
export const applicationStatuses = ['new', 'contacted', 'accepted', 'declined'] as const;

/** For the API's document. The rules are in applicationFieldRules. */
function note(description: string, example: string, maxLength?: number) {
  return { description, example, ...(maxLength === undefined ? {} : { maxLength }) };
}

const limits = applicationLimits;
const fieldNotes: Record<ApplicationField, ReturnType<typeof note>> = {
  practice_name: note('Name of the practice', 'Juniper Street Clinic', limits.practiceNameLengthMax),
  contact_name: note('Whom to contact', 'Kit Elmsworth', limits.nameLengthMax),
  role: note('Role in the practice, or credential', 'Practice manager', limits.roleLengthMax),
  email: note('Email address', 'kit@example.com', limits.emailLengthMax),
  phone: note('10 to 15 digits, any punctuation', '(303) 555-0142'),
  zip_code: note('ZIP or ZIP+4 of the practice; the five digits are kept', '80202'),
  website: note('Web address of the practice; optional', 'clinic.example.com', limits.websiteLengthMax),
  message: note('Anything else; optional', 'We are open on Saturdays.', limits.messageLengthMax),
};

function checked(field: ApplicationField) {
  const rule = applicationFieldRules[field];
  return z
    .string({ error: () => rule('') ?? 'Must be text' })
    .transform((value) => cleanApplicationField(field, value))
    .check((ctx) => {
      const message = rule(ctx.value);
      if (message !== null) ctx.issues.push({ code: 'custom', message, input: ctx.value });
    });
}

function required(field: ApplicationField) {
  return checked(field).meta(fieldNotes[field]);
}

/** Empty counts as missing. */
function optional(field: ApplicationField) {
  return checked(field)
    .transform((value) => (value === '' ? undefined : value))
    .optional()
    .meta(fieldNotes[field]);
}

export const applicationCreateInput = z.object({
  practice_name: required('practice_name'),
  contact_name: required('contact_name'),
  role: required('role'),
  email: required('email'),
  phone: required('phone').transform(storedPhone),
  zip_code: required('zip_code').transform((value) => zipInText(value) ?? value),
  website: optional('website'),
  message: optional('message'),
  acceptance_consent: z
    .literal(true, { error: () => applicationConsentRequired })
    .meta({ description: 'Whether the box is checked; if not, nothing is stored' }),
  acceptance_message: sentText(2000).meta({ description: 'The exact text shown next to the box' }),
  token: sentText(200).meta({
    description:
      'Of the form it was typed into. A script leaves it out and is limited harder; an application with a wrong one is set aside',
  }),
  [honeypotName]: sentText(200).meta({
    description: 'Omit it: an application that fills it in may be quarantined as spam',
  }),
  /** The honeypot of 1.0.0. */
  homepage: sentText(200).meta({ description: 'Omit it, as `leave_empty`' }),
});
/** What a client sends. */
export type ApplicationCreateInput = z.input<typeof applicationCreateInput>;
/** The parsed application. */
export type ApplicationSubmission = z.output<typeof applicationCreateInput>;

export const applicationCreateOutput = z.object({ id: z.number().int() });
export type ApplicationCreateOutput = z.output<typeof applicationCreateOutput>;

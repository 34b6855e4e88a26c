import { z } from 'zod';
import { givenAnswers } from './answers.ts';
import {
  cleanLeadField,
  cleanOptionalText,
  cleanText,
  leadFieldError,
  type LeadMessages,
} from './leadFields.ts';
import {
  describeLeadField,
  type LeadField,
  leadFieldTable,
  leadLimits,
  optionalLeadFields,
  type OptionalLeadField,
  type RequiredField,
  requiredLeadFields,
  type RequiredLeadField,
} from './leadFieldTable.ts';
import { parseProviderId } from '../formats/providerIdParam.ts';
import { buildRecord } from '../formats/records.ts';
import { honeypotName } from './quarantine.ts';
import { storedPhone } from './phone.ts';
import type { Question } from './questions.ts';
import { formKeys, pageFormKeys } from './leadForms.ts';
import { zipInText } from './zip.ts';

/** What the API's document says about a field; the rules themselves are in leadFields.ts. */
function buildNote(field: LeadField) {
  const { note, lengthMax } = describeLeadField(field);
  return { ...note, ...(lengthMax === null ? {} : { maxLength: lengthMax }) };
}

/** A required field as it is stored, from what was judged. */
const storedForms = {
  name: (value) => value,
  email: (value) => value,
  phone: storedPhone,
  zip: (value) =>
    value.length > leadLimits.zipLengthMax
      ? (zipInText(value) ?? cleanText(value.slice(0, leadLimits.zipLengthMax)))
      : value,
} satisfies Record<RequiredField['kind'], (value: string) => string>;

function requiredField(field: RequiredLeadField, messages: LeadMessages) {
  return z
    .string({ error: () => messages.fields[field].required })
    .transform((value) => cleanLeadField(field, value))
    .check((ctx) => {
      const message = leadFieldError(field, ctx.value, messages);
      if (message !== null) ctx.issues.push({ code: 'custom', message, input: ctx.value });
    })
    .meta(buildNote(field))
    .transform(storedForms[leadFieldTable[field].kind]);
}

function optionalField(field: OptionalLeadField) {
  const { lengthMax } = describeLeadField(field);
  return z
    .preprocess((value) => cleanOptionalText(value, lengthMax), z.string().optional())
    .meta(buildNote(field));
}

/** Optional text from a browser, which never causes a rejection: cut to size; anything but a string is ignored. */
const lenientText = (lengthMax: number) =>
  z.preprocess(
    // Cut first: a cut through a surrogate pair is made well-formed again by the cleaning.
    (value) => (typeof value === 'string' ? cleanText(value.slice(0, lengthMax)) || undefined : undefined),
    z.string().max(lengthMax).optional(),
  );

/** Optional text as it was sent: cut to size, without what a database rejects; anything but a string is ignored. */
export const sentText = (lengthMax: number) =>
  z.preprocess(
    (value) =>
      typeof value === 'string'
        ? value.slice(0, lengthMax).toWellFormed().replaceAll('\0', '') || undefined
        : undefined,
    z.string().max(lengthMax).optional(),
  );

const attributionTouch = z.object({
  utm_source: lenientText(200),
  utm_medium: lenientText(200),
  utm_campaign: lenientText(200),
  utm_term: lenientText(200),
  utm_content: lenientText(200),
  gclid: lenientText(200),
  gbraid: lenientText(200),
  wbraid: lenientText(200),
  msclkid: lenientText(200),
  landing_path: lenientText(300),
  referrer_host: lenientText(253),
});
export type AttributionTouch = z.output<typeof attributionTouch>;

const sellerShownLengthMax = 500;
/** An ISO date of a later year has another form, which Postgres refuses. */
const yearTenThousandMs = Date.UTC(10_000, 0);

/** The body of a lead with a brand's messages and questions. shared/submissions/leadInput.ts has this brand's. */
export function leadCreateSchema(messages: LeadMessages, questions: readonly Question[] = []) {
  return z.object({
    ...buildRecord(requiredLeadFields, (field) => requiredField(field, messages)),
    ...buildRecord(optionalLeadFields, optionalField),
    answers: givenAnswers(questions),
    acceptance_consent: z
      .literal(true, { error: () => messages.consentRequired })
      .meta({ description: 'Whether the box is checked; if not, nothing is stored' }),
    acceptance_message: sentText(leadLimits.messageLengthMax).meta({
      description: 'The exact text shown next to the box',
    }),
    form: z.enum(formKeys).catch('api').default('api').meta({ description: 'Omit it in scripts' }),
    /** See server/features/submissions/formToken.ts. */
    token: lenientText(200).meta({
      description:
        'Of the form it was typed into. A script leaves it out and is limited harder; a lead with a forged one is set aside',
    }),
    /** Honeypot, invisible to people. No identity record has such a field, so that no software fills it in for them. */
    [honeypotName]: lenientText(200).meta({
      description: 'Omit it: a lead that fills it in may be quarantined as spam',
    }),
    /** The honeypot of 1.0.0, still in pages that were cached then. */
    website: lenientText(200).meta({
      description: 'Omit it, as `leave_empty`',
    }),
    client_clock: z.iso
      .datetime({ offset: true })
      .refine((text) => Date.parse(text) >= 0 && Date.parse(text) < yearTenThousandMs)
      .optional()
      .catch(undefined)
      .meta({
        description:
          'Submission time by the person’s own clock, kept as evidence along with the server’s time',
      }),
    seller_shown: lenientText(sellerShownLengthMax).meta({
      description: 'Provider name shown next to the box; kept as evidence only if that provider is matched',
    }),
    attribution: z
      .object({ first: attributionTouch.optional(), last: attributionTouch.optional() })
      .optional()
      .catch(undefined)
      .meta({ description: 'Campaign and click ids of the first and the last visit' }),
  });
}
/** What a client sends. */
export type LeadCreateInput = z.input<ReturnType<typeof leadCreateSchema>>;
/** What the server works with. */
export type LeadSubmission = z.output<ReturnType<typeof leadCreateSchema>>;

/** The provider that a page was opened for. Anything but an id counts as unknown and is never rejected. */
export const requestedProviderId = z.preprocess((value) => {
  const id = typeof value === 'string' ? parseProviderId(value) : value;
  return Number.isSafeInteger(id) && Number(id) > 0 ? id : undefined;
}, z.number().int().positive().optional());

export const leadCreateOutput = z
  .object({
    id: z.number().int().meta({ description: 'The lead’s number' }),
    providerId: z.number().int().optional().meta({ description: 'The matched provider, if there is one' }),
  })
  .meta({ id: 'NewLead', description: 'The answer to a lead that was sent' });
export type LeadCreateOutput = z.output<typeof leadCreateOutput>;

export const formTokenInput = z.object({
  form: z
    .enum(formKeys, { error: `form must be one of ${formKeys.join(', ')}` })
    .meta({ description: 'The form that is shown' }),
  page: lenientText(300).meta({ description: 'The path of the first page of the visit, for counts' }),
  campaign: lenientText(200).meta({ description: 'The campaign of the visit (`utm_campaign`), for counts' }),
});
/** Reports that a form has a complete ZIP. The ZIP itself is not sent. */
export const zipEnteredInput = z.object({
  form: z.enum(pageFormKeys, { error: `form must be one of ${pageFormKeys.join(', ')}` }),
});
export const formTokenOutput = z.object({ token: z.string(), minAgeMs: z.number().int() });

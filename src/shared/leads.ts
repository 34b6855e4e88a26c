import { z } from 'zod';
import { cleanText, consentRequired, leadFieldRules, type LeadField, leadLimits } from './leadFields.ts';

/** The forms a lead can come from; `api` is a script's. Each names the consent text it shows (shared/brand/consentTexts.ts). */
export const formKeys = ['landing', 'microsite', 'quiz', 'find', 'api'] as const;
export type FormKey = (typeof formKeys)[number];

function contactField(field: LeadField) {
  const rule = leadFieldRules[field];
  return z
    .string({ error: () => rule('') ?? 'Required' })
    .transform(cleanText)
    .check((ctx) => {
      const message = rule(ctx.value);
      if (message !== null) ctx.issues.push({ code: 'custom', message, input: ctx.value });
    });
}

/** Optional text from a browser that is never worth refusing a lead for: cut to size, anything but a string is ignored. */
const lenientText = (lengthMax: number) =>
  z.preprocess(
    (value) => (typeof value === 'string' ? cleanText(value).slice(0, lengthMax) || undefined : undefined),
    z.string().max(lengthMax).optional(),
  );

export const attributionTouch = z.object({
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

export const leadCreateInput = z.object({
  first_name: contactField('first_name'),
  last_name: contactField('last_name'),
  email: contactField('email'),
  phone: contactField('phone'),
  zip_code: contactField('zip_code'),
  acceptance_consent: z.literal(true, { error: () => consentRequired }),
  acceptance_message: lenientText(leadLimits.messageLengthMax),
  form: z.enum(formKeys).catch('api').default('api'),
  /** Signed render token of the form; see server/features/leads/renderToken.ts. */
  token: lenientText(200),
  /** Honeypot: people never see it. */
  website: lenientText(200),
  attribution: z.object({ first: attributionTouch.optional(), last: attributionTouch.optional() }).optional().catch(undefined),
});
/** What a client sends. */
export type LeadCreateInput = z.input<typeof leadCreateInput>;
/** What the server works with. */
export type LeadSubmission = z.output<typeof leadCreateInput>;

export const leadCreateOutput = z.object({ id: z.number().int(), providerId: z.number().int().optional() });
export type LeadCreateOutput = z.output<typeof leadCreateOutput>;

export const formTokenOutput = z.object({ token: z.string(), minAgeMs: z.number().int() });

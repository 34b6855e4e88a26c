import { z } from 'zod';
import { applicationFields } from '#shared/applications/applicationFields.ts';
import { applicationCreateInput, applicationFormKey } from '#shared/applications/applications.ts';
import { questions } from '#shared/brand/questions.ts';
import { leadFields } from '#shared/leads/leadFieldTable.ts';
import { leadCreateOutput } from '#shared/leads/leads.ts';
import { formKeys } from '#shared/leads/leadForms.ts';
import { answerName } from '#shared/leads/questions.ts';
import { appliedPath, successPath } from '#shared/pages/paths.ts';
import { leadCreateInput } from '#shared/submissions/leadInput.ts';
import type { TokenForm } from '../features/submissions/formToken.ts';
import type { Site } from '../tenant/site.ts';

/** How a browser without scripts sends an operation's input, and which page comes next. */
export interface PlainForm {
  /** Shown again after a failure; token and honeypot are not. */
  fields: readonly string[];
  /** The form that was sent. After a failure, its page is shown again. */
  formOf: (fields: Record<string, string>, site: Site) => TokenForm;
  /** The page that follows a stored submission. */
  nextPath: (output: unknown) => string;
  /** For the OpenAPI document; the procedure's own schema validates. */
  body: z.ZodObject;
}

const consentBox = z.string().optional().meta({ description: '`on` or `true` if the box is checked' });

/** Text fields with the descriptions that the JSON body's schema has. */
function textFields(names: readonly string[], json: z.ZodObject): Record<string, z.ZodType> {
  const { properties = {}, required = [] } = z.toJSONSchema(json, { io: 'input' });
  return Object.fromEntries(
    names.map((name) => {
      const property = properties[name];
      const description = typeof property === 'object' ? property.description : undefined;
      const text = description === undefined ? z.string() : z.string().meta({ description });
      return [name, required.includes(name) ? text : text.optional()];
    }),
  );
}

const repeatedKey = z.string().optional().meta({
  description:
    'As the header `Idempotency-Key`: a page’s script posts its form without itself if its requests fail',
});
const consentText = z.string().optional().meta({ description: 'The exact text shown next to the box' });

/** The questions of the brand. None is required. */
function answerFields(): Record<string, z.ZodOptional<z.ZodString>> {
  return Object.fromEntries(
    questions.map(({ id, label }) => [answerName(id), z.string().optional().meta({ description: label })]),
  );
}

const leadPlainForm: PlainForm = {
  fields: [...leadFields, ...questions.map(({ id }) => answerName(id))],
  formOf: (fields, { tenant }) =>
    formKeys.find((key) => key === fields['form']) ?? (tenant === null ? 'landing' : 'microsite'),
  nextPath: (output) => successPath(leadCreateOutput.parse(output).providerId),
  body: z.object({
    ...textFields(leadFields, leadCreateInput),
    ...answerFields(),
    acceptance_consent: consentBox,
    acceptance_message: consentText,
    form: z.enum(formKeys).optional().meta({ description: 'The form that was sent' }),
    token: z.string().optional().meta({ description: 'Without it, the lead is quarantined' }),
    idempotency_key: repeatedKey,
  }),
};

const applicationPlainForm: PlainForm = {
  fields: applicationFields,
  formOf: () => applicationFormKey,
  nextPath: () => appliedPath,
  body: z.object({
    ...textFields(applicationFields, applicationCreateInput),
    acceptance_consent: consentBox,
    acceptance_message: consentText,
    token: z.string().optional().meta({ description: 'Without it, the application is quarantined' }),
    idempotency_key: repeatedKey,
  }),
};

/** The procedures whose operation also accepts a plain form. */
export const plainForms: ReadonlyMap<string, PlainForm> = new Map([
  ['leads.create', leadPlainForm],
  ['applications.create', applicationPlainForm],
]);

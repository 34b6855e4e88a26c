import { z } from 'zod';
import { applicationFields } from '#shared/applications/applicationFields.ts';
import { applicationFormKey } from '#shared/applications/applications.ts';
import { leadFields } from '#shared/leads/leadFields.ts';
import { formKeys, leadCreateOutput } from '#shared/leads/leads.ts';
import { appliedPath, successPath } from '#shared/pages/paths.ts';
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

function textFields(names: readonly string[]): Record<string, z.ZodString> {
  return Object.fromEntries(names.map((name) => [name, z.string()]));
}

const leadPlainForm: PlainForm = {
  fields: leadFields,
  formOf: (fields, { tenant }) =>
    formKeys.find((key) => key === fields['form']) ?? (tenant === null ? 'landing' : 'microsite'),
  nextPath: (output) => successPath(leadCreateOutput.parse(output).providerId),
  body: z.object({
    ...textFields(leadFields),
    acceptance_consent: consentBox,
    acceptance_message: z.string().optional(),
    form: z.enum(formKeys).optional(),
    token: z.string().optional().meta({ description: 'Without it, the lead is quarantined' }),
  }),
};

const applicationPlainForm: PlainForm = {
  fields: applicationFields,
  formOf: () => applicationFormKey,
  nextPath: () => appliedPath,
  body: z.object({
    ...textFields(applicationFields),
    acceptance_consent: consentBox,
    acceptance_message: z.string().optional(),
    token: z.string().optional().meta({ description: 'Without it, the application is quarantined' }),
  }),
};

/** The procedures whose operation also accepts a plain form. */
export const plainForms: ReadonlyMap<string, PlainForm> = new Map([
  ['leads.create', leadPlainForm],
  ['applications.create', applicationPlainForm],
]);

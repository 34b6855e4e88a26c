import { z } from 'zod';
import { applicationFields } from '#shared/applications/applicationFields.ts';
import { applicationCreateInput, applicationFormKey } from '#shared/applications/applications.ts';
import { areaField } from '#shared/applications/applicationFields.ts';
import { areaAnswer, areaInput } from '#shared/applications/areas.ts';
import type { FormState } from '#shared/pages/boot.ts';
import { questions } from '#shared/brand/questions.ts';
import { leadFields } from '#shared/leads/leadFieldTable.ts';
import { leadCreateOutput } from '#shared/leads/leads.ts';
import { formKeys } from '#shared/leads/leadForms.ts';
import { answerName } from '#shared/leads/questions.ts';
import { problemFields, problemFormKey } from '#shared/claims/problemFields.ts';
import { problemCreateInput } from '#shared/claims/problemReport.ts';
import { appliedPath, problemReportedPath, successPath } from '#shared/pages/paths.ts';
import { leadCreateInput } from '#shared/submissions/leadInput.ts';
import type { TokenForm } from '../features/submissions/formToken.ts';
import type { Site } from '../tenant/site.ts';
import { hasProviderId } from '#shared/formats/providerIdParam.ts';
import { parseUrl } from '#shared/formats/text.ts';
import { isIdempotencyKey } from '../features/submissions/idempotency.ts';
import type { AppContext } from '../tenant/tenant.ts';
import { isChecked } from './requestBody.ts';
import type { RestRequest } from './requestInput.ts';

/** How a browser without scripts sends an operation's input, and which page comes next. */
export interface PlainForm {
  /** Shown again after a failure; token and honeypot are not. */
  fields: readonly string[];
  /** The form that was sent. After a failure, its page is shown again. */
  formOf: (fields: Record<string, string>, site: Site) => TokenForm;
  /** The page that follows a stored submission, or what the form's own page then shows. */
  next: (output: unknown) => string | FormState;
  /** The form's own page shows the answer: 200, not 303. */
  answersInPlace?: true;
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
  next: (output) => successPath(leadCreateOutput.parse(output).providerId),
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
  next: () => appliedPath,
  body: z.object({
    ...textFields(applicationFields, applicationCreateInput),
    acceptance_consent: consentBox,
    acceptance_message: consentText,
    token: z.string().optional().meta({ description: 'Without it, the application is quarantined' }),
    idempotency_key: repeatedKey,
  }),
};

const problemPlainForm: PlainForm = {
  fields: problemFields,
  formOf: () => problemFormKey,
  next: () => problemReportedPath,
  body: z.object({
    ...textFields(problemFields, problemCreateInput),
    token: z.string().optional().meta({ description: 'Without it, the report is quarantined' }),
  }),
};

/** The answer and, in the application, the ZIP that was asked about. */
function toAreaState(output: unknown): FormState {
  const area = areaAnswer.parse(output);
  const zip = area.zip ?? '';
  return { values: { [areaField]: zip, zip_code: zip }, errors: {}, message: '', area };
}

const areaPlainForm: PlainForm = {
  fields: [areaField],
  formOf: () => applicationFormKey,
  next: toAreaState,
  answersInPlace: true,
  body: z.object(textFields([areaField], areaInput)),
};

/** The procedures whose operation also accepts a plain form. */
export const plainForms: ReadonlyMap<string, PlainForm> = new Map([
  ['leads.create', leadPlainForm],
  ['applications.create', applicationPlainForm],
  ['problems.create', problemPlainForm],
  ['applications.area', areaPlainForm],
]);

/** The form's page if it is one of this site. */
function ownPage(ctx: AppContext): URL | null {
  const page = parseUrl(ctx.get('Referer'));
  if (page === null) return null;
  return URL.parse(`${page.protocol}//${ctx.state.client.host}`)?.host === page.host ? page : null;
}

/** Adds the provider that the page's URL asks for: the HTML is the same for every query, so the form can't name it. */
function withPageProvider(ctx: AppContext): URLSearchParams {
  const query = new URLSearchParams(ctx.querystring);
  const providerId = ownPage(ctx)?.searchParams.get('providerId') ?? null;
  if (providerId !== null && !hasProviderId(query.get('providerId'))) query.set('providerId', providerId);
  return query;
}

/** A field that a script filled with JSON before it posted the form. Anything else stays text, which is ignored. */
function toJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? 'null') ?? undefined;
  } catch {
    return text;
  }
}

/** The answers to the brand's questions: a field each, or one that a script filled. */
function answersIn(fields: Record<string, string>): unknown {
  const answers = questions.map(({ id }) => [id, fields[answerName(id)]]);
  return fields['answers'] === undefined ? Object.fromEntries(answers) : toJson(fields['answers']);
}

/**
 * The key of a form that a script sent before without an answer, and now posts without itself. Null if there is none: a
 * form without script has none, and an unusable one must not cost the submission.
 */
export function plainFormKey({ idempotency_key: key = '' }: Record<string, string>): string | null {
  return isIdempotencyKey(key) ? key : null;
}

/** What a plain form asks of its procedure. */
export function plainFormRequest(ctx: AppContext, fields: Record<string, string>): RestRequest {
  return {
    params: {},
    query: withPageProvider(ctx),
    body: {
      ...fields,
      attribution: toJson(fields['attribution']),
      answers: answersIn(fields),
      acceptance_consent: isChecked(fields['acceptance_consent']),
    },
  };
}

import type Koa from 'koa';
import { questions } from '#shared/brand/questions.ts';
import { hasProviderId } from '#shared/formats/providerIdParam.ts';
import { parseUrl } from '#shared/formats/text.ts';
import { answerName } from '#shared/leads/questions.ts';
import { isIdempotencyKey } from '../features/submissions/idempotency.ts';
import type { AppState } from '../tenant/tenant.ts';
import { isChecked } from './requestBody.ts';
import type { RestRequest } from './requestInput.ts';

type Context = Koa.ParameterizedContext<AppState>;

/** The form's page if it is one of this site. */
function ownPage(ctx: Context): URL | null {
  const page = parseUrl(ctx.get('Referer'));
  if (page === null) return null;
  return URL.parse(`${page.protocol}//${ctx.state.client.host}`)?.host === page.host ? page : null;
}

/**
 * The query of a plain form, with the provider that its page's URL asks for: the page's HTML is the same for every
 * query, so the form can't have it in its own URL, but the browser names its page.
 */
function withPageProvider(ctx: Context): URLSearchParams {
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
export function plainFormRequest(ctx: Context, fields: Record<string, string>): RestRequest {
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

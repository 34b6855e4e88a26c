import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiRequestBodyObject,
  type ZodOpenApiResponsesObject,
} from 'zod-openapi';
import { brand } from '#shared/brand/brand.ts';
import { type ErrorCode, errorReasons, errorStatuses, errorTitles } from '#shared/errorCodes.ts';
import { inboundMail, inboundOutput } from '#shared/leads/inboundMail.ts';
import type { TokenScope } from '#shared/admin/staff.ts';
import { type ExportRoute, exportRoutes } from './exports.ts';
import type { StaffAccess } from '../features/auth/authorize.ts';
import { type OperationExample, operationExamples } from './operationExamples.ts';
import { webhookPaths, webhookTag } from './openapiWebhooks.ts';
import { answerHeaders, conditionHeaders, retryHeaders, submissionHeaders } from './openapiHeaders.ts';
import { type RestRoute, restRoutes } from './routes.ts';

const problemDetails = z
  .object({
    type: z.string().meta({ description: 'Always `about:blank`' }),
    title: z.string().meta({ description: 'The name of the status' }),
    status: z.number().int().meta({ description: 'The HTTP status' }),
    detail: z.string().meta({ description: 'One sentence for a person' }),
    error: z.string().meta({ description: 'The same sentence' }),
    errors: z
      .record(z.string(), z.string())
      .optional()
      .meta({ description: 'Messages by field, all at once' }),
    reason: z
      .enum(errorReasons)
      .optional()
      .meta({ description: 'Distinguishes errors with the same status' }),
    requestId: z.string().meta({ description: 'Names the request in the log' }),
  })
  .meta({ id: 'Problem', description: 'RFC 9457 problem details' });

const domainAnswer = z.object({ domain: z.string() });

const signatureHeaders = z.object({
  'webhook-id': z.string().meta({ description: 'Of the message; the same when it is sent again' }),
  'webhook-timestamp': z.string().meta({ description: 'Seconds since 1970; at most five minutes ago' }),
  'webhook-signature': z.string().meta({ description: 'As in Standard Webhooks' }),
});

/** Groups of operations, by the first segments of their paths under /api. */
const tags = {
  leads: { name: 'Leads', description: 'What visitors send, and what staff and scripts do with it.' },
  providers: { name: 'Providers', description: 'The clinics of the network, and where they come from.' },
  persons: { name: 'Persons', description: 'Consent, withdrawal and the data of a person.' },
  deliveries: { name: 'Deliveries', description: 'What is sent: emails, CRM deliveries and webhooks.' },
  sites: { name: 'Sites', description: 'Host names of providers, and problems that visitors report.' },
} as const;
const tagBySegment: Readonly<Record<string, { name: string }>> = {
  leads: tags.leads,
  tasks: tags.leads,
  insights: tags.leads,
  providers: tags.providers,
  'provider-applications': tags.providers,
  areas: tags.providers,
  'unreachable-providers': tags.deliveries,
  sync: tags.providers,
  'sync-runs': tags.providers,
  persons: tags.persons,
  suppressions: tags.persons,
  unsubscribe: tags.persons,
  'problem-reports': tags.sites,
  mail: tags.persons,
  domains: tags.sites,
  deliveries: tags.deliveries,
  'webhook-endpoints': webhookTag,
};

/** Throws for a path whose group is unknown. */
function buildTag(path: string): string {
  const [, , segment = ''] = path.split(/[/.]/);
  const tag = tagBySegment[segment];
  if (tag === undefined) throw new Error(`No tag is known for ${path}.`);
  return tag.name;
}

function buildTitle(status: number): string {
  const codes = Object.keys(errorStatuses).filter((code): code is ErrorCode => code in errorStatuses);
  const code = codes.find((candidate) => errorStatuses[candidate] === status);
  return code === undefined ? 'Error' : errorTitles[code];
}

/** An operation's example, as a media type has it. */
function buildExample(operationId: string, part: keyof OperationExample): { example?: unknown } {
  const example = operationExamples[operationId]?.[part];
  return example === undefined ? {} : { example };
}

function problems(statuses: readonly number[]): ZodOpenApiResponsesObject {
  return Object.fromEntries(
    statuses.map((status) => [
      `${status}` as const,
      {
        description: buildTitle(status),
        ...(status === 429 || status === 503 ? { headers: retryHeaders } : {}),
        content: { 'application/problem+json': { schema: problemDetails } },
      },
    ]),
  );
}

function responses(route: RestRoute): ZodOpenApiResponsesObject {
  return {
    [`${route.status}` as const]: {
      description: STATUS_CODES[route.status] ?? 'Success',
      content: { 'application/json': { schema: route.output, ...buildExample(route.operation, 'response') } },
      ...answerHeaders(route),
    },
    ...(route.plainForm === undefined || route.plainForm.answersInPlace === true
      ? {}
      : {
          '303': {
            description: 'To the confirmation page, for a plain form',
            headers: z.object({ Location: z.string() }),
          },
        }),
    ...(route.caching === 'revalidate'
      ? { '304': { description: 'Unchanged since the ETag given in If-None-Match' } }
      : {}),
    ...problems(route.errors),
  };
}

function bodyContent(
  { operation: operationId, plainForm, list }: RestRoute,
  schema: z.ZodObject,
): ZodOpenApiRequestBodyObject['content'] {
  const listed = list === undefined ? undefined : schema.shape[list.name];
  return {
    'application/json': {
      schema: listed === undefined ? schema : z.union([schema, listed]),
      ...buildExample(operationId, 'request'),
    },
    ...(listed === undefined
      ? {}
      : { 'application/x-ndjson': { schema: z.string().meta({ description: 'One JSON object per line' }) } }),
    ...(plainForm === undefined ? {} : { 'application/x-www-form-urlencoded': { schema: plainForm.body } }),
  };
}

const securitySchemes = {
  token: {
    type: 'http',
    scheme: 'bearer',
    description:
      'A script’s token, `mpx_…`, made by `npm run token` or in the dashboard. An operation names the scope it needs.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-session',
    description:
      'Of staff who are signed in (`session` where there is no https). Changes need the same Origin and `Content-Type: application/json`, also without a body.',
  },
} as const;

type Security = Pick<ZodOpenApiOperationObject, 'security' | `x-${string}`>;

/** A token with the scope, which only OAuth has a field for, or a session. */
function getSecurity({ role, scope }: StaffAccess): Security {
  const session = role === null ? [] : [{ session: [] }];
  if (scope === null) return { security: session };
  return { security: [{ token: [] }, ...session], [scopeField]: scope };
}

/** A public operation with more for a token. A session counts for reads only. */
function optionalSecurity({ method }: RestRoute, scope: TokenScope): Security {
  const security = [{}, { token: [] }, ...(method === 'GET' ? [{ session: [] }] : [])];
  return { security, [scopeField]: scope };
}

const scopeField = 'x-required-scope';

const methods = { GET: 'get', POST: 'post', PATCH: 'patch', DELETE: 'delete' } as const;

function operation(route: RestRoute): ZodOpenApiOperationObject {
  const { params: path, query, body, bodyOptional, plainForm } = route;
  const requestParams = {
    ...(path === undefined ? {} : { path }),
    ...(query === undefined ? {} : { query }),
    ...(plainForm === undefined || route.status !== 201 ? {} : { header: submissionHeaders }),
    ...(route.caching === 'revalidate' ? { header: conditionHeaders } : {}),
  };
  return {
    operationId: route.operation,
    tags: [buildTag(route.path)],
    summary: route.summary,
    description: route.description,
    ...(route.access === 'public' ? {} : getSecurity(route.access)),
    ...(route.optionalScope === undefined ? {} : optionalSecurity(route, route.optionalScope)),
    requestParams,
    ...(body === undefined
      ? {}
      : { requestBody: { required: !bodyOptional, content: bodyContent(route, body) } }),
    responses: responses(route),
  };
}

const exportDescriptions = {
  'text/csv': 'Every row: UTF-8 with a byte order mark, CRLF, RFC 4180',
  'application/json': 'Everything, whole',
} as const;

function exportOperation(route: ExportRoute): ZodOpenApiOperationObject {
  const { procedure, path, summary, description, access, type, params, query, errors } = route;
  const schema = type === 'text/csv' ? z.string() : z.looseObject({});
  return {
    operationId: `exports.${procedure}`,
    tags: [buildTag(path)],
    summary,
    description,
    ...getSecurity(access),
    requestParams: {
      ...(params === undefined ? {} : { path: params }),
      query,
    },
    responses: {
      '200': { description: exportDescriptions[type], content: { [type]: { schema } } },
      ...problems(errors),
    },
  };
}

/** Paths that belong to no procedure. */
const directPaths: ZodOpenApiPathsObject = {
  '/api/domains/verify': {
    get: {
      operationId: 'domains.verify',
      tags: [buildTag('/api/domains')],
      summary: 'Check a host name',
      description: 'Whether it belongs to an active provider, from memory: for on-demand certificates.',
      requestParams: { query: z.object({ domain: z.string().meta({ description: 'A host name' }) }) },
      responses: {
        '200': {
          description: 'It belongs to one.',
          content: {
            'application/json': { schema: domainAnswer, ...buildExample('domains.verify', 'response') },
          },
        },
        ...problems([404]),
      },
    },
  },
  '/api/mail/inbound': {
    post: {
      operationId: 'mail.inbound',
      tags: [buildTag('/api/mail')],
      summary: 'Receive a message from a mail service',
      description:
        'A reply, a bounce or a complaint, signed with INBOUND_MAIL_SECRET (Standard Webhooks). Returns 404 unless inbound mail is configured.',
      requestParams: { header: signatureHeaders },
      requestBody: {
        required: true,
        content: { 'application/json': { schema: inboundMail, ...buildExample('mail.inbound', 'request') } },
      },
      responses: {
        '200': {
          description: 'What became of it.',
          content: {
            'application/json': { schema: inboundOutput, ...buildExample('mail.inbound', 'response') },
          },
        },
        ...problems([400, 401, 404, 413, 422, 503]),
      },
    },
  },
};

/** The OpenAPI 3.1 document, from the schemas that validate requests. */
export function openApiDocument(version: string): object {
  const paths: ZodOpenApiPathsObject = { ...directPaths };
  for (const route of restRoutes) {
    paths[route.path] = { ...paths[route.path], [methods[route.method]]: operation(route) };
  }
  for (const route of exportRoutes) paths[route.path] = { get: exportOperation(route) };
  const sorted = Object.entries(paths).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Leads and providers',
        version,
        license: { name: 'MIT', identifier: 'MIT' },
        contact: { name: brand.name },
        description:
          'Errors are application/problem+json. Bodies are at most 32 KiB where nothing else is said.',
      },
      servers: [{ url: '/', description: 'This site' }],
      tags: [...Object.values(tags), webhookTag],
      // Operations that say nothing else are for anyone.
      security: [{}],
      components: { securitySchemes },
      paths: Object.fromEntries(sorted),
      webhooks: webhookPaths(),
    },
    {
      // New fields may be added to responses, and numbers are limited by what they count.
      override: ({ jsonSchema, io }) => {
        if (io === 'output' && jsonSchema.additionalProperties === false)
          delete jsonSchema.additionalProperties;
        if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
        if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
        // It repeats the format, in up to 400 characters.
        if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
      },
    },
  );
}

import { z } from 'zod';
import { actionOutcome } from '#shared/adminLeads.ts';
import { applicationCreateInput, applicationCreateOutput } from '#shared/applications.ts';
import { formTokenInput, formTokenOutput, leadCreateInput, leadCreateOutput } from '#shared/leads.ts';
import { providerListInput, publicProvider } from '#shared/providers.ts';
import type { StaffRole, TokenScope } from '#shared/staff.ts';
import { notFound } from '../errors.ts';
import type { PreparedJson } from '../features/providers/activeList.ts';
import type { Services } from '../trpc/context.ts';
import type { AppRouter } from '../trpc/root.ts';
import { adminRoutes } from './adminRoutes.ts';
import { applicationPlainForm, leadPlainForm, type PlainForm } from './plainForms.ts';
import type { JsonObject } from './requestBody.ts';

export interface RestRequest {
  params: Record<string, string>;
  query: URLSearchParams;
  /** Empty for GET. */
  body: JsonObject;
}

type Routers = AppRouter['_def']['record'];
/** `leads.create`, as tRPC names it. */
export type ProcedurePath = {
  [Name in keyof Routers]: `${Name}.${keyof Routers[Name] & string}`;
}[keyof Routers];

interface Place {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** `{name}` stands for one segment. */
  path: string;
}

/** Who may call a row: anyone, or staff of at least a role and tokens with a scope. The same as its procedure says; a test compares them. */
export type RouteAccess = 'public' | { role: StaffRole; scope: TokenScope };

/** A row: where, which procedure, how the request becomes its input, what it answers. The schemas are for the OpenAPI document. */
export interface ProcedureRoute extends Place {
  access: RouteAccess;
  procedure: ProcedurePath;
  type: 'query' | 'mutation';
  input: (request: RestRequest) => unknown;
  status: 200 | 201;
  /** `revalidate`: ETag and 304. */
  caching: 'revalidate' | 'no-store';
  /** The same answer from memory; null when this request must go through the procedure. */
  prepared?: (request: RestRequest, services: Services) => Promise<PreparedJson> | null;
  /** Also takes a browser's plain form and answers it with a page. */
  plainForm?: PlainForm;
  summary: string;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodObject;
  output: z.ZodType;
  /** What else it answers, as problem+json. */
  errors: readonly number[];
}

/** A path that names a clinic by anything but a number names no clinic. */
function providerIdOf({ params }: RestRequest): number {
  const { id = '' } = params;
  if (!/^[1-9]\d{0,14}$/.test(id)) throw notFound('Provider');
  return Number(id);
}

function queryValue({ query }: RestRequest, name: string): string | undefined {
  return query.get(name) ?? undefined;
}

const idParam = z.object({ id: z.string().meta({ description: 'Number of the clinic', example: '12' }) });
const providerIdQuery = z.object({
  providerId: z.string().optional().meta({
    description:
      'Clinic the page was opened for; unknown or inactive: the lead is matched by ZIP. A clinic’s own host wins.',
  }),
});

export const restRoutes: readonly ProcedureRoute[] = [
  {
    access: 'public',
    method: 'POST',
    path: '/api/leads',
    procedure: 'leads.create',
    type: 'mutation',
    input: (request) => ({
      ...request.body,
      providerId: request.query.get('providerId') ?? request.body['providerId'],
    }),
    status: 201,
    caching: 'no-store',
    plainForm: leadPlainForm,
    summary: 'Leave contact details; the answer names the clinic that was matched',
    query: providerIdQuery,
    body: leadCreateInput,
    output: leadCreateOutput,
    errors: [400, 413, 415, 422, 429, 503],
  },
  {
    access: 'public',
    method: 'GET',
    path: '/api/leads/token',
    procedure: 'leads.formToken',
    type: 'query',
    input: (request) => ({ form: queryValue(request, 'form') }),
    status: 200,
    caching: 'no-store',
    summary: 'A render token for a script-driven form',
    query: formTokenInput,
    output: formTokenOutput,
    errors: [422],
  },
  {
    access: 'public',
    method: 'POST',
    path: '/api/provider-applications',
    procedure: 'applications.create',
    type: 'mutation',
    input: (request) => request.body,
    status: 201,
    caching: 'no-store',
    plainForm: applicationPlainForm,
    summary: 'Apply to become a provider',
    body: applicationCreateInput,
    output: applicationCreateOutput,
    errors: [400, 413, 415, 422, 429, 503],
  },
  {
    access: 'public',
    method: 'GET',
    path: '/api/providers',
    procedure: 'providers.list',
    type: 'query',
    input: (request) => ({ status: queryValue(request, 'status') }),
    status: 200,
    caching: 'revalidate',
    prepared: (request, { activeList }) =>
      ['active', undefined].includes(queryValue(request, 'status')) ? activeList.get() : null,
    summary: 'Active or inactive clinics',
    query: providerListInput,
    output: z.array(publicProvider),
    errors: [422, 503],
  },
  {
    access: 'public',
    method: 'GET',
    path: '/api/providers/{id}',
    procedure: 'providers.get',
    type: 'query',
    input: (request) => ({ id: providerIdOf(request) }),
    status: 200,
    caching: 'revalidate',
    summary: 'One active clinic',
    params: idParam,
    output: publicProvider,
    errors: [404, 503],
  },
  {
    access: 'public',
    method: 'GET',
    path: '/api/providers/domain/{hostname}',
    procedure: 'providers.byDomain',
    type: 'query',
    input: ({ params }) => ({ hostname: params['hostname'] }),
    status: 200,
    caching: 'revalidate',
    summary: 'The active clinic whose site answers on a host name',
    params: z.object({ hostname: z.string().meta({ example: 'clinic.example' }) }),
    output: publicProvider,
    errors: [404, 422, 503],
  },
  ...adminRoutes,
  {
    access: { role: 'manager', scope: 'sync:run' },
    method: 'POST',
    path: '/api/sync',
    procedure: 'sync.run',
    type: 'mutation',
    input: () => undefined,
    status: 200,
    caching: 'no-store',
    summary: 'Bring the clinics up to date from where they are kept',
    output: actionOutcome,
    errors: [401, 403, 503],
  },
];

import { z } from 'zod';
import { applicationCreateInput, applicationCreateOutput } from '#shared/applications/applications.ts';
import { formTokenInput, formTokenOutput, leadCreateInput, leadCreateOutput } from '#shared/leads/leads.ts';
import { providerListInput, publicProvider } from '#shared/providers/providers.ts';
import { unsubscribeInput, unsubscribeOutput } from '#shared/leads/suppression.ts';
import { notFound } from '../errors.ts';
import { adminRoutes } from './adminRoutes.ts';
import { applicationPlainForm, leadPlainForm } from './plainForms.ts';
import type { ProcedureRoute, RestRequest } from './route.ts';
import { syncRoutes } from './syncRoutes.ts';

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
    // The person gets an email only with a form's token or this one.
    optionalScope: 'leads:write',
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
    errors: [400, 401, 413, 415, 422, 429, 503],
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
    path: '/api/unsubscribe',
    procedure: 'suppressions.unsubscribe',
    type: 'mutation',
    // The body, `List-Unsubscribe=One-Click` as a form of either kind (RFC 8058 section 3.2), says nothing that the method doesn't.
    input: (request) => ({ token: queryValue(request, 'token') }),
    status: 200,
    caching: 'no-store',
    summary:
      'Withdraw a consent by the signed link of a message, as mail programs do by themselves (RFC 8058)',
    query: unsubscribeInput,
    output: unsubscribeOutput,
    errors: [404, 422, 429, 503],
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
  ...syncRoutes,
];

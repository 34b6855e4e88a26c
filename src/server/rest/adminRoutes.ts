import { z } from 'zod';
import {
  actionOutcome,
  adminLead,
  assignInput,
  leadIdInput,
  leadListInput,
  leadListOutput,
} from '#shared/adminLeads.ts';
import { leadIdOf, leadListOf } from './adminQuery.ts';
import type { ProcedureRoute } from './route.ts';

const idParam = z.object({ id: z.string().meta({ description: 'Number of the lead', example: '12' }) });
const refusals = [401, 403, 404, 503] as const;
const writing = { role: 'manager', scope: 'leads:write' } as const;

/** The rows for leads that staff and scripts may call. */
export const adminRoutes: readonly ProcedureRoute[] = [
  {
    access: { role: 'viewer', scope: 'leads:read' },
    method: 'GET',
    path: '/api/leads',
    procedure: 'adminLeads.list',
    type: 'query',
    input: leadListOf,
    status: 200,
    caching: 'no-store',
    summary: 'Leads by filter, a page at a time; above 100,000 (in a search 10,000) the total is an estimate',
    query: leadListInput,
    output: leadListOutput,
    errors: [401, 403, 422, 503],
  },
  {
    access: writing,
    method: 'PATCH',
    path: '/api/leads/{id}/provider',
    procedure: 'adminLeads.assign',
    type: 'mutation',
    input: (request) => ({ id: leadIdOf(request), providerId: request.body['providerId'] }),
    status: 200,
    caching: 'no-store',
    summary: 'Give a lead to an active clinic',
    params: idParam,
    body: assignInput.omit({ id: true }),
    output: adminLead,
    errors: [400, 401, 403, 404, 413, 415, 422, 503],
  },
  {
    access: writing,
    method: 'DELETE',
    path: '/api/leads/{id}',
    procedure: 'adminLeads.remove',
    type: 'mutation',
    input: (request) => ({ id: leadIdOf(request) }),
    status: 200,
    caching: 'no-store',
    summary: 'Delete a lead; it can be restored for 30 days',
    params: idParam,
    output: leadIdInput,
    errors: refusals,
  },
  {
    access: writing,
    method: 'POST',
    path: '/api/leads/{id}/retry-sync',
    procedure: 'adminLeads.retrySync',
    type: 'mutation',
    input: (request) => ({ id: leadIdOf(request) }),
    status: 200,
    caching: 'no-store',
    summary: 'Send a lead to the CRM again; `success` is false when that failed',
    params: idParam,
    output: actionOutcome,
    errors: refusals,
  },
  {
    access: writing,
    method: 'POST',
    path: '/api/leads/{id}/retry-email',
    procedure: 'adminLeads.retryEmail',
    type: 'mutation',
    input: (request) => ({ id: leadIdOf(request) }),
    status: 200,
    caching: 'no-store',
    summary: 'Send the e-mail to a lead again; `success` is false when that failed',
    params: idParam,
    output: actionOutcome,
    errors: refusals,
  },
];

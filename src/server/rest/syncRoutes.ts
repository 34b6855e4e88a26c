import { z } from 'zod';
import { pushBytesMax, pushInput, pushOutput, syncRunInput, syncRunOutcome } from '#shared/admin/sync.ts';
import type { ProcedureRoute, RestRequest } from './route.ts';

const flagText = z.enum(['1', 'true', '0', 'false']).optional();
const runQuery = z.object({
  kind: syncRunInput.shape.kind.meta({
    description: 'Left out: whatever changed since the last complete run, or all where there was none',
  }),
  dryRun: flagText.meta({ description: 'Tell what would change and change nothing' }),
  force: flagText.meta({ description: 'Let no guard stop it' }),
});

function flag(text: string | null): unknown {
  return text === null
    ? undefined
    : text === '1' || text === 'true'
      ? true
      : text === '0' || text === 'false'
        ? false
        : text;
}

/** The body's fields, and the query's where it has them. */
function runOf({ query, body }: RestRequest): Record<string, unknown> {
  const asked = {
    kind: query.get('kind') ?? undefined,
    dryRun: flag(query.get('dryRun')),
    force: flag(query.get('force')),
  };
  return { ...body, ...Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined)) };
}

/** The rows for bringing clinics here. */
export const syncRoutes: readonly ProcedureRoute[] = [
  {
    access: { role: 'manager', scope: 'sync:run' },
    method: 'POST',
    path: '/api/sync',
    procedure: 'sync.run',
    type: 'mutation',
    input: runOf,
    status: 200,
    caching: 'no-store',
    summary: 'Bring the clinics up to date from where they are kept; `success` is false when that failed',
    query: runQuery,
    body: syncRunInput.partial(),
    bodyOptional: true,
    output: syncRunOutcome,
    errors: [400, 401, 403, 413, 415, 422, 503],
  },
  {
    access: { role: 'manager', scope: 'providers:write' },
    method: 'POST',
    path: '/api/providers/sync',
    procedure: 'sync.push',
    type: 'mutation',
    input: ({ body }) => body,
    status: 200,
    caching: 'no-store',
    summary:
      'Create or update up to 1,000 clinics, 8 MiB at most: whole rows, told apart by `wordpress_id`; what isn’t sent stays as it is. Each has its own answer, in order',
    body: pushInput,
    list: { name: 'providers', bytesMax: pushBytesMax },
    output: pushOutput,
    errors: [400, 401, 403, 413, 415, 422, 503],
  },
];

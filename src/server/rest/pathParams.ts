import { z } from 'zod';
import { notFound } from '../errors.ts';

interface Resource {
  name: string;
  description: string;
  example: string;
  /** Its id is a UUID. Otherwise it is a number. */
  isUuid?: true;
}

const lead: Resource = { name: 'Lead', description: 'Lead ID', example: '12' };
const provider: Resource = { name: 'Provider', description: 'Provider ID', example: '12' };

/** The resource of `{id}`, by the first segment of a path under /api. */
const resources = new Map<string, Resource>([
  [
    'deliveries',
    {
      ...{ name: 'Delivery', description: 'Delivery ID', isUuid: true },
      example: '0198f3c2-7b1e-7c44-9d3a-2f6b8c0e5a17',
    },
  ],
  ['leads', lead],
  ['persons', lead],
  ['providers', provider],
  ['sync-runs', { name: 'Sync run', description: 'Run ID', example: '5' }],
  [
    'webhook-endpoints',
    {
      ...{ name: 'Endpoint', description: 'Endpoint ID', isUuid: true },
      example: '6f0c1c3e-5a1f-4d58-9a39-1f2a7c9b1d10',
    },
  ],
  ['unreachable-providers', provider],
  ['tasks', { name: 'Task', description: 'Task ID', example: '3' }],
]);

function getResource(path: string): Resource {
  const resource = resources.get(path.split('/')[2] ?? '');
  if (resource === undefined) throw new Error(`No resource is known for ${path}.`);
  return resource;
}

/** The names of a path's parameters. */
export function paramNames(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

/** Documents a path's parameters; undefined if it has none. */
export function paramsSchema(path: string): z.ZodObject | undefined {
  const names = paramNames(path);
  if (names.length === 0) return undefined;
  const getSchema = (name: string): z.ZodType => {
    if (name === 'hostname')
      return z
        .string()
        .meta({ description: 'The host of a provider’s microsite', example: 'clinic.example' });
    const { description, example } = getResource(path);
    return z.string().meta({ description, example });
  };
  return z.object(Object.fromEntries(names.map((name) => [name, getSchema(name)])));
}

/** The id in a path: a number, or the text of a UUID. Throws NOT_FOUND for any other text. */
export function getId(path: string, { id = '' }: Record<string, string>): number | string {
  const { name, isUuid } = getResource(path);
  const isId = isUuid === true ? z.uuid().safeParse(id).success : /^[1-9]\d{0,14}$/.test(id);
  if (!isId) throw notFound(name);
  return isUuid === true ? id : Number(id);
}

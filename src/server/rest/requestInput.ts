import { z } from 'zod';
import { searchParams } from '#shared/admin/searchParams.ts';
import type { JsonObject } from './requestBody.ts';
import { notFound } from '../errors.ts';

export interface RestRequest {
  params: Record<string, string>;
  query: URLSearchParams;
  /** Empty for GET. */
  body: JsonObject;
}

type Fields = Record<string, unknown>;

/**
 * Reads the query's fields. A GET leaves out empty values, as forms send them. A change keeps them, so that `?dryRun` is
 * rejected and not ignored; invalid values stay text, and the procedure rejects them.
 */
function queryReader(schema: z.ZodObject | undefined, isGet: boolean): (query: URLSearchParams) => Fields {
  if (schema === undefined) return () => ({});
  const { input } = searchParams(schema);
  if (isGet) return (query) => input(query);
  return (query) => {
    const fields = input(query, { keepEmpty: true });
    return schema.safeParse(fields).data ?? fields;
  };
}

interface InputRoute {
  method: string;
  path: string;
  query: z.ZodObject | undefined;
  /** The fields of the query may be in the body instead. */
  bodyOptional?: boolean;
}

/** Reads a body without the fields that only the query may have. */
function bodyReader({ query, bodyOptional = false }: InputRoute): (body: JsonObject) => JsonObject {
  if (query === undefined || bodyOptional) return (body) => body;
  const names = Object.keys(query.shape);
  return (body) => Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));
}

/**
 * Makes the reader of a procedure's input: the body's fields, then the query's, overridden by the path's. A field of the
 * query is ignored in the body, unless the body is optional. The reader throws NOT_FOUND for an id that is no number.
 */
export function inputReader(route: InputRoute): (request: RestRequest) => Fields {
  const { method, path, query: schema } = route;
  const bodyFields = bodyReader(route);
  const queryFields = queryReader(schema, method === 'GET');
  return ({ params, query, body }) => ({
    ...bodyFields(body),
    ...queryFields(query),
    ...params,
    ...('id' in params ? { id: getId(path, params) } : {}),
  });
}

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

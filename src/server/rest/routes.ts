import { z } from 'zod';
import { toOperationId } from '#shared/operationId.ts';
import type { StaffAccess } from '../features/auth/authorize.ts';
import type { ProcedureMeta, RestOperation } from '../procedures.ts';
import { appRouter } from '../trpc/root.ts';
import { paramNames, paramsSchema, inputReader, type RestRequest } from './requestInput.ts';
import { type PlainForm, plainForms } from './plainForms.ts';

/** A procedure's REST operation with its defaults. The schemas describe requests in the OpenAPI document. */
export interface RestRoute {
  /** Who may call it, from the procedure. */
  access: 'public' | StaffAccess;
  optionalScope: RestOperation['optionalScope'];
  method: RestOperation['method'];
  path: string;
  /** `admin.leads.list`, as tRPC names it. */
  procedure: string;
  /** `adminLeads.list`: its name in the OpenAPI document and the audit log. */
  operation: string;
  type: 'query' | 'mutation';
  /** The procedure's input in a request. Throws NOT_FOUND. */
  input: (request: RestRequest) => Record<string, unknown>;
  status: 200 | 201;
  caching: 'revalidate' | 'no-store';
  /** The route also accepts a browser's plain form and answers with a page. */
  plainForm: PlainForm | undefined;
  summary: string;
  description: string;
  params: z.ZodObject | undefined;
  query: z.ZodObject | undefined;
  body: z.ZodObject | undefined;
  /** A request may come without a body. */
  bodyOptional: boolean;
  list: RestOperation['list'];
  output: z.ZodType;
  /** Error statuses, as problem+json. */
  errors: readonly number[];
}

const schema = z.custom<z.ZodType>((value) => value instanceof z.ZodType);

/** tRPC has no public list of a router's procedures, nor of their schemas. */
const definitions = z.record(
  z.string(),
  z
    .unknown()
    .transform((procedure: unknown): unknown => Reflect.get(Object(procedure), '_def'))
    .pipe(
      z.object({
        type: z.enum(['query', 'mutation']),
        meta: z.custom<ProcedureMeta>((value) => typeof value === 'object').optional(),
        inputs: z.array(schema).max(1),
        output: schema.optional(),
      }),
    ),
);
type Definition = z.output<typeof definitions>[string];

const objectSchema = z.instanceof(z.ZodObject, { error: 'The input of a REST operation must be an object.' });
const optionalSchema = z.instanceof(z.ZodOptional).transform((input) => input.unwrap());
/** The object behind an operation's input, which may be optional. */
const inputObject = z.union([objectSchema, optionalSchema.pipe(objectSchema)]).optional();

/** An object schema without some of its fields; undefined if none remain. */
function without(object: z.ZodObject | undefined, names: readonly string[]): z.ZodObject | undefined {
  const fields = Object.entries(object?.shape ?? {});
  const left = fields.filter(([name]) => !names.includes(name));
  if (left.length === 0) return undefined;
  return left.length === fields.length ? object : z.object(Object.fromEntries(left));
}

/** The error statuses that follow from the access and the input of an operation. */
function derivedErrors({
  access,
  optionalScope,
  params,
  query,
  body,
}: Pick<RestRoute, 'access' | 'optionalScope' | 'params' | 'query' | 'body'>): number[] {
  const hasHostname = params !== undefined && 'hostname' in params.shape;
  return [
    ...(access === 'public' && optionalScope === undefined ? [] : [401, 429]),
    ...(access === 'public' ? [] : [403]),
    ...(params === undefined ? [] : [404]),
    ...(body === undefined ? [] : [400, 413]),
    // If only a session is accepted, a change that is not JSON is a 403.
    ...(body === undefined || (access !== 'public' && access.scope === null) ? [] : [415]),
    ...(body === undefined && query === undefined && !hasHostname ? [] : [422]),
  ];
}

function getRoute(
  procedure: string,
  rest: RestOperation,
  { type, meta, inputs, output: checked }: Definition,
): RestRoute {
  const output = rest.output ?? checked;
  if (output === undefined) throw new Error(`${procedure} has no output schema.`);
  const input = inputObject.parse(inputs[0]);
  const bodyOptional = inputs[0] instanceof z.ZodOptional;
  const sent = without(input, paramNames(rest.path));
  const isGet = rest.method === 'GET';
  const query = rest.query ?? (isGet ? sent : undefined);
  // Fields of an optional body may be sent in either place.
  const queryOnly = bodyOptional ? [] : Object.keys(query?.shape ?? {});
  const route = {
    access: meta?.access ?? 'public',
    optionalScope: rest.optionalScope,
    params: paramsSchema(rest.path),
    query,
    body: isGet ? undefined : without(sent, queryOnly),
  } as const;
  return {
    ...route,
    method: rest.method,
    path: rest.path,
    procedure,
    operation: toOperationId(procedure),
    type,
    input: inputReader({ method: rest.method, path: rest.path, query, bodyOptional }),
    status: rest.status ?? 200,
    caching: rest.caching ?? 'no-store',
    plainForm: plainForms.get(procedure),
    summary: rest.summary,
    description: rest.description,
    bodyOptional,
    list: rest.list,
    output,
    errors: [
      ...new Set([
        ...derivedErrors(route),
        ...(rest.withoutDatabase === true ? [] : [503]),
        ...(rest.errors ?? []),
      ]),
    ].toSorted((a, b) => a - b),
  };
}

const methodOrder = ['GET', 'POST', 'PATCH', 'DELETE'];

/** By code unit: literal segments precede placeholders, and the router picks the first of two matching routes. */
function byPath(a: RestRoute, b: RestRoute): number {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  return methodOrder.indexOf(a.method) - methodOrder.indexOf(b.method);
}

/** Every REST operation: the procedures whose metadata has `rest`. */
export const restRoutes: readonly RestRoute[] = Object.entries(
  definitions.parse(Reflect.get(Reflect.get(appRouter, '_def'), 'procedures')),
)
  .flatMap(([procedure, definition]) =>
    definition.meta?.rest === undefined ? [] : [getRoute(procedure, definition.meta.rest, definition)],
  )
  .toSorted(byPath);

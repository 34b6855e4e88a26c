import type { z } from 'zod';
import { searchParams } from '#shared/admin/searchParams.ts';
import { idOf } from './pathParams.ts';
import type { JsonObject } from './requestBody.ts';

export interface RestRequest {
  params: Record<string, string>;
  query: URLSearchParams;
  /** Empty for GET. */
  body: JsonObject;
}

/**
 * The query's fields. A GET leaves out empty values, as forms send them. A change keeps them, so that `?dryRun` is
 * rejected and not ignored; invalid values stay text, and the procedure rejects them.
 */
function queryFields(
  query: URLSearchParams,
  schema: z.ZodObject | undefined,
  isGet: boolean,
): Record<string, unknown> {
  if (schema === undefined) return {};
  const fields = searchParams(schema).input(query, { keepEmpty: !isGet });
  return isGet ? fields : (schema.safeParse(fields).data ?? fields);
}

interface InputRoute {
  method: string;
  path: string;
  query: z.ZodObject | undefined;
  /** The fields of the query may be in the body instead. */
  bodyOptional?: boolean;
}

/** A body without the fields that only the query may have. */
function bodyFields({ query, bodyOptional = false }: InputRoute, body: JsonObject): JsonObject {
  if (query === undefined || bodyOptional) return body;
  const names = Object.keys(query.shape);
  return Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));
}

/**
 * A procedure's input: the body's fields, then the query's, overridden by the path's. A field of the query is ignored in
 * the body, unless the body is optional. Throws NOT_FOUND for an id that is no number.
 */
export function requestInput(
  route: InputRoute,
  { params, query, body }: RestRequest,
): Record<string, unknown> {
  const { method, path, query: schema } = route;
  return {
    ...bodyFields(route, body),
    ...queryFields(query, schema, method === 'GET'),
    ...params,
    ...('id' in params ? { id: idOf(path, params) } : {}),
  };
}

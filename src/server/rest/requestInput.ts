import type { z } from 'zod';
import { searchParams } from '#shared/admin/searchParams.ts';
import { getId } from './pathParams.ts';
import type { JsonObject } from './requestBody.ts';

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

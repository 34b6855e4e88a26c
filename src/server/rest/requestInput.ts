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

/**
 * A procedure's input: the body's fields, overridden by the query's, overridden by the path's. Throws NOT_FOUND for an
 * id that is no number.
 */
export function requestInput(
  { method, path, query: schema }: { method: string; path: string; query: z.ZodObject | undefined },
  { params, query, body }: RestRequest,
): Record<string, unknown> {
  return {
    ...body,
    ...queryFields(query, schema, method === 'GET'),
    ...params,
    ...('id' in params ? { id: idOf(path, params) } : {}),
  };
}

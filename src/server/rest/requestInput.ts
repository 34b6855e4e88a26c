import { z } from 'zod';
import { idOf } from './pathParams.ts';
import type { JsonObject } from './requestBody.ts';

export interface RestRequest {
  params: Record<string, string>;
  query: URLSearchParams;
  /** Empty for GET. */
  body: JsonObject;
}

/** A whole number in a query string. Other text stays as it is, and the schema refuses it. */
export function wholeNumber(text: string): unknown {
  return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
}

/** Text of a query string in the type that its field accepts. */
function typed(text: string, field: z.ZodType): unknown {
  let inner: unknown = field;
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodDefault) inner = inner.unwrap();
  if (inner instanceof z.ZodNumber) return wholeNumber(text);
  return inner instanceof z.ZodBoolean && (text === 'true' || text === 'false') ? text === 'true' : text;
}

/** The fields of a GET. An empty value counts as left out, since forms send empty fields. */
export function queryInput(query: URLSearchParams, schema: z.ZodObject | undefined): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(schema?.shape ?? {}).flatMap(([name, field]) => {
      const text = query.get(name) ?? '';
      return text === '' || !(field instanceof z.ZodType) ? [] : [[name, typed(text, field)]];
    }),
  );
}

/** The fields that a change sends in its query, as that schema reads them. Invalid values stay as they are, and the procedure refuses them. */
function changeQuery(query: URLSearchParams, schema: z.ZodObject | undefined): Record<string, unknown> {
  const sent = Object.keys(schema?.shape ?? {}).flatMap((name) => {
    const text = query.get(name);
    return text === null ? [] : [[name, text] as const];
  });
  const values = Object.fromEntries(sent);
  return schema?.safeParse(values).data ?? values;
}

/** A procedure's input from a request: the body's fields, the query's over them, the path's over both. Throws NOT_FOUND for a path that names nothing. */
export function requestInput(
  { method, path, query: schema }: { method: string; path: string; query: z.ZodObject | undefined },
  { params, query, body }: RestRequest,
): Record<string, unknown> {
  return {
    ...body,
    ...(method === 'GET' ? queryInput(query, schema) : changeQuery(query, schema)),
    ...params,
    ...('id' in params ? { id: idOf(path, params) } : {}),
  };
}

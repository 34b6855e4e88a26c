import type { z } from 'zod';
import { searchParams } from '#shared/admin/searchParams.ts';
import { notFound } from '../errors.ts';
import type { RestRequest } from './route.ts';

const idPattern = /^[1-9]\d{0,14}$/;

/** A path that names a lead by anything but a number names none. */
export function leadIdOf({ params }: Pick<RestRequest, 'params'>): number {
  const { id = '' } = params;
  if (!idPattern.test(id)) throw notFound('Lead');
  return Number(id);
}

/** The same of a staff task. */
export function taskIdOf({ params }: Pick<RestRequest, 'params'>): number {
  const { id = '' } = params;
  if (!idPattern.test(id)) throw notFound('Task');
  return Number(id);
}

/** A whole number in a query string. Other text stays as it is, so that the schema rejects it. */
function wholeNumber(text: string | undefined): unknown {
  return text !== undefined && /^-?\d{1,15}$/.test(text) ? Number(text) : text;
}

/** Numbers of leads with commas between; none for an empty value. */
export function leadIdsOf({ query }: Pick<RestRequest, 'query'>, name: string): unknown[] {
  const text = query.get(name) ?? '';
  return text === '' ? [] : text.split(',').map(wholeNumber);
}

/** The input of a procedure from the query string, in the types that its schema has. */
export function queryOf(schema: z.ZodObject): (request: Pick<RestRequest, 'query'>) => unknown {
  const { input } = searchParams(schema);
  return ({ query }) => input(query);
}

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

/** A whole number in a query string; what isn't one goes on as it is, for the schema to refuse. */
function wholeNumber(text: string | undefined): unknown {
  return text !== undefined && /^-?\d{1,15}$/.test(text) ? Number(text) : text;
}

/** Numbers of leads with commas between; none for an empty value. */
export function leadIdsOf({ query }: Pick<RestRequest, 'query'>, name: string): unknown[] {
  const text = query.get(name) ?? '';
  return text === '' ? [] : text.split(',').map(wholeNumber);
}

function flag(text: string | undefined): unknown {
  return text === 'true' ? true : text === 'false' ? false : text;
}

/** The filter of a query string, in the types its schema takes. An empty value counts as left out, as forms send it. */
export function leadFilterOf({ query }: Pick<RestRequest, 'query'>): Record<string, unknown> {
  const value = (name: string): string | undefined => query.get(name) || undefined;
  return {
    search: value('search'),
    providerId: wholeNumber(value('providerId')),
    match: value('match'),
    quarantined: flag(value('quarantined')),
    overLimit: flag(value('overLimit')),
    repeat: flag(value('repeat')),
    deleted: flag(value('deleted')),
    status: value('status'),
    outcome: value('outcome'),
    delivery: value('delivery'),
    task: value('task'),
    from: value('from'),
    to: value('to'),
  };
}

export function leadListOf(request: Pick<RestRequest, 'query'>): Record<string, unknown> {
  const value = (name: string): string | undefined => request.query.get(name) || undefined;
  return {
    ...leadFilterOf(request),
    page: wholeNumber(value('page')),
    limit: wholeNumber(value('limit')),
    sort: value('sort'),
  };
}

import { crmStatuses, leadSorts, type LeadFilter, type LeadSort } from '#shared/admin/adminLeads.ts';
import { day } from '#shared/formats/day.ts';
import { leadOutcomes } from '#shared/leads/leadOutcomes.ts';

/** What of the leads the address says to show. */
export interface LeadView {
  filter: LeadFilter;
  sort: LeadSort;
  page: number;
  /** The lead whose drawer is open. */
  lead: number | null;
}

export const defaultSort: LeadSort = '-created_at';
const searchLengthMax = 200;
const pageMax = 1_000_000;

const filterKeys = [
  'search',
  'providerId',
  'match',
  'quarantined',
  'overLimit',
  'repeat',
  'deleted',
  'status',
  'outcome',
  'delivery',
  'task',
  'from',
  'to',
] as const satisfies readonly (keyof LeadFilter)[];

function oneOf<Value extends string>(values: readonly Value[], text: string | null): Value | undefined {
  return values.find((value) => value === text);
}

function positive(text: string | null, max: number): number | undefined {
  if (text === null || !/^[1-9]\d*$/.test(text)) return undefined;
  const value = Number(text);
  return value <= max ? value : undefined;
}

function truth(text: string | null): boolean | undefined {
  return text === 'true' ? true : text === 'false' ? false : undefined;
}

function date(text: string | null): string | undefined {
  return day.safeParse(text).data;
}

/** Whatever the address can't mean counts as left out. */
export function readView(params: URLSearchParams): LeadView {
  return {
    filter: {
      search: params.get('search')?.trim().slice(0, searchLengthMax) || undefined,
      providerId: positive(params.get('providerId'), Number.MAX_SAFE_INTEGER),
      match: oneOf(['matched', 'unmatched'] as const, params.get('match')),
      quarantined: truth(params.get('quarantined')),
      // Without them is no view of the dashboard's.
      overLimit: truth(params.get('overLimit')) || undefined,
      repeat: truth(params.get('repeat')),
      // Without the deleted ones is how it always is.
      deleted: truth(params.get('deleted')) || undefined,
      status: oneOf(crmStatuses, params.get('status')),
      outcome: oneOf([...leadOutcomes, 'none'] as const, params.get('outcome')),
      delivery: oneOf(['failed'] as const, params.get('delivery')),
      task: oneOf(['phone-withdrawn'] as const, params.get('task')),
      from: date(params.get('from')),
      to: date(params.get('to')),
    },
    sort: oneOf(leadSorts, params.get('sort')) ?? defaultSort,
    page: positive(params.get('page'), pageMax) ?? 1,
    lead: positive(params.get('lead'), Number.MAX_SAFE_INTEGER) ?? null,
  };
}

/** The address's query with a view in it; what else stands there (the tab) stays, and what is usual is left out. */
export function writeView(params: URLSearchParams, { filter, sort, page, lead }: LeadView): URLSearchParams {
  const next = new URLSearchParams(params);
  for (const key of [...filterKeys, 'sort', 'page', 'lead']) next.delete(key);
  for (const [key, value] of filterParams(filter)) next.set(key, value);
  if (sort !== defaultSort) next.set('sort', sort);
  if (page > 1) next.set('page', String(page));
  if (lead !== null) next.set('lead', String(lead));
  return next;
}

/** A filter as a query: the same in the dashboard's address and in the CSV's. */
export function filterParams(filter: LeadFilter): URLSearchParams {
  const params = new URLSearchParams();
  for (const key of filterKeys) {
    const value = filter[key];
    if (value !== undefined && value !== '') params.set(key, String(value));
  }
  return params;
}

export function isFiltered(filter: LeadFilter): boolean {
  return filterParams(filter).size > 0;
}

/** Where the CSV of the leads looked at is. */
export function leadsCsvHref(filter: LeadFilter): string {
  const query = filterParams(filter).toString();
  return query === '' ? '/api/leads.csv' : `/api/leads.csv?${query}`;
}

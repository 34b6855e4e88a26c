import { leadFilter, type LeadFilter, type LeadSearch } from '#shared/admin/adminLeads.ts';
import { searchParams } from '#shared/admin/searchParams.ts';

/** The filters of the list in the URL. */
export type LeadSearchFilter = Omit<LeadSearch, 'sort' | 'page' | 'upTo'>;

const filterParams = searchParams(leadFilter);

/** A filter as a query. Equal filters have equal queries; no filter has an empty one. */
export function filterQuery(filter: LeadFilter): string {
  return filterParams.write(new URLSearchParams(), filter).toString();
}

/** The CSV of all leads that a filter matches. */
export function leadsCsvHref(filter: LeadFilter): string {
  const query = filterQuery(filter);
  return query === '' ? '/api/leads.csv' : `/api/leads.csv?${query}`;
}

import { type LeadSearch, leadSearch } from '#shared/admin/adminLeads.ts';
import { searchParams } from '#shared/admin/searchParams.ts';

const codec = searchParams(leadSearch);

/** The link to the list of leads with these filters. */
export function buildLeadsHref(search: Partial<LeadSearch>): string {
  return `?${codec.write(new URLSearchParams(), search)}`;
}

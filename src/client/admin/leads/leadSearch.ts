import { leadFilter, type LeadFilter, type LeadSearch, leadSearch } from '#shared/admin/adminLeads.ts';
import { searchParams } from '#shared/admin/searchParams.ts';
import { useSearchParams } from '#client/admin/kit/useSearchParams.ts';

export type LeadSearchFilter = Omit<LeadSearch, 'sort' | 'page' | 'upTo'>;

const filterParams = searchParams(leadFilter.extend(leadSearch.pick({ followUp: true }).shape));

/** A filter as a query. Equal filters have equal queries; no filter has an empty one. */
export function filterQuery(filter: LeadFilter & Pick<LeadSearch, 'followUp'>): string {
  return filterParams.write(new URLSearchParams(), filter).toString();
}

export function leadsCsvHref(filter: LeadFilter): string {
  const query = filterQuery(filter);
  return query === '' ? '/api/leads.csv' : `/api/leads.csv?${query}`;
}

export interface LeadSearchControl {
  filter: LeadSearchFilter;
  sort: LeadSearch['sort'];
  page: number;
  /** Pages after the first leave out leads that arrived since that was loaded; undefined: this is the first. */
  upTo: number | undefined;
  /** Shows the first page. */
  setFilter: (filter: LeadSearchFilter, isTyping?: boolean) => void;
  setSort: (sort: LeadSearch['sort']) => void;
  /** `newestId`: of the list that is shown. */
  setPage: (page: number, newestId: number | null) => void;
  /** The link that shows what a filter matches. */
  buildHref: (filter: LeadSearchFilter) => string;
}

/** Filters, order and page of the leads, kept in the URL. */
export function useLeadSearch(): LeadSearchControl {
  const { values, show, change, buildHref } = useSearchParams(leadSearch);
  const { sort, page, upTo, ...filter } = values;
  return {
    filter,
    sort,
    page,
    upTo,
    setFilter: (wanted, isTyping) => show({ ...wanted, sort }, isTyping),
    setSort: (wanted) => change({ sort: wanted, page: 1, upTo: undefined }),
    setPage: (wanted, newestId) => {
      if (wanted !== page)
        change({ page: wanted, upTo: wanted === 1 ? undefined : (upTo ?? newestId ?? undefined) });
    },
    buildHref: (wanted) => buildHref({ ...wanted, sort }),
  };
}

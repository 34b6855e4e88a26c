import { useSearchParams } from '#client/admin/kit/useSearchParams.ts';
import { leadSearch, type LeadSearch } from '#shared/admin/adminLeads.ts';
import type { LeadSearchFilter } from './leadSearch.ts';

export interface LeadSearchControl {
  filter: LeadSearchFilter;
  sort: LeadSearch['sort'];
  page: number;
  /** Shows the first page. */
  setFilter: (filter: LeadSearchFilter, isTyping?: boolean) => void;
  setSort: (sort: LeadSearch['sort']) => void;
  setPage: (page: number) => void;
  /** The link that shows what a filter matches. */
  hrefOf: (filter: LeadSearchFilter) => string;
}

/** Filters, order and page of the leads, kept in the URL. */
export function useLeadSearch(): LeadSearchControl {
  const { values, show, change, hrefOf } = useSearchParams(leadSearch);
  const { sort, page, ...filter } = values;
  return {
    filter,
    sort,
    page,
    setFilter: (wanted, isTyping) => show({ ...wanted, sort }, isTyping),
    setSort: (wanted) => change({ sort: wanted, page: 1 }),
    setPage: (wanted) => (wanted === page ? undefined : change({ page: wanted })),
    hrefOf: (wanted) => hrefOf({ ...wanted, sort }),
  };
}

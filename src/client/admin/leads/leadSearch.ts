import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { useSearchParams } from '#client/admin/kit/useSearchParams.ts';
import {
  leadFilter,
  listedFilter,
  type LeadFilter,
  type LeadSearch,
  leadSearch,
} from '#shared/admin/adminLeads.ts';
import { viewsCopy as copy } from '#shared/admin/leadCopy.ts';
import { searchParams } from '#shared/admin/searchParams.ts';
import { type WorklistCounts, worklistCountMax, worklistFilters } from '#shared/admin/worklist.ts';
import { toDay } from '#shared/formats/day.ts';

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

/** The fixed filters of the leads. */
export const views: Record<keyof typeof copy.names, LeadSearchFilter> = {
  all: {},
  ...worklistFilters,
  followUp: { followUp: 'today' },
  deleted: { deleted: true },
};
export type View = keyof typeof views;

/** Whether the filter is that of the view. */
export function isShown(filter: LeadSearchFilter, view: View): boolean {
  return filterQuery(listedFilter(views[view])) === filterQuery(listedFilter(filter));
}

/** Beside all leads, while they have leads. */
export const inLine = ['unmatched', 'clinic', 'overdue', 'returned', 'followUp'] as const satisfies View[];
export const inMenu = [
  'crm',
  'overLimit',
  'quarantined',
  'phone',
  'mailbox',
  'replies',
  'deleted',
] as const satisfies View[];

/** How many leads each view has; "today" is that of `now`, in the viewer's zone. */
export function useWorklist(now: number) {
  return adminApi.admin.leads.worklist.useQuery({ followUpBy: toDay(now) });
}

/** Null if it isn't counted. */
export function countText(counts: WorklistCounts | undefined, view: Exclude<View, 'all'>): string | null {
  if (counts === undefined || view === 'deleted') return null;
  return copy.count(counts[view], worklistCountMax);
}

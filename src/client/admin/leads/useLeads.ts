import { keepPreviousData } from '@tanstack/react-query';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { leadsPageSize, listedFilter } from '#shared/admin/adminLeads.ts';
import { counted, totalText } from '#shared/formats/writing.ts';
import { filterQuery, type LeadSearchControl } from './leadSearch.ts';

type ShownLeads = Pick<LeadSearchControl, 'filter' | 'sort' | 'page' | 'upTo'>;

export function listInput({ filter, sort, page, upTo }: ShownLeads) {
  return { ...listedFilter(filter), sort, page, upTo, limit: leadsPageSize };
}
export type ListInput = ReturnType<typeof listInput>;

/** The filter of a list on the server, without leads that arrived since it was loaded. */
export function toMatchingFilter(
  { sort: _sort, page: _page, limit: _limit, ...filter }: ListInput,
  newestId: number | null,
) {
  return { ...filter, upTo: filter.upTo ?? newestId ?? undefined };
}

/** One page of leads. The previous one stays until it arrives. A slow total replaces its lower bound later. */
export function useLeadList(input: ListInput) {
  const list = adminApi.admin.leads.list.useQuery(input, { placeholderData: keepPreviousData });
  const { sort: _sort, page: _page, limit: _limit, ...filter } = input;
  const isGuessed = list.data?.totalIsEstimate === true && !list.isPlaceholderData;
  const count = adminApi.admin.leads.total.useQuery(filter, {
    enabled: isGuessed,
  });
  return { ...list, data: isGuessed ? withTotal(list.data, count.data) : list.data };
}

/** A list with the total that was counted. Of two minimums, the larger one counts: the page itself shows some. */
function withTotal<List extends Total>(list: List | undefined, count: Total | undefined): List | undefined {
  if (list === undefined || count === undefined) return list;
  const { total, totalIsEstimate } = count;
  return { ...list, total: totalIsEstimate ? Math.max(total ?? 0, list.total ?? 0) : total, totalIsEstimate };
}

interface Total {
  total: number | null;
  totalIsEstimate: boolean;
}

/** The number of all leads that aren't quarantined, and of those found, as text; null and 0 while they load. */
export function useLeadTotals(shown: ShownLeads): { all: string | null; found: number; foundText: string } {
  const list = useLeadList(listInput(shown));
  const hasFilter = filterQuery(shown.filter) !== '';
  const everything = adminApi.admin.leads.total.useQuery(listedFilter({}), { enabled: hasFilter });
  const { data } = hasFilter ? everything : list;
  const { total, totalIsEstimate: isLeast = false } = list.data ?? {};
  const found = total ?? 0;
  const foundText = isLeast ? `${totalText(found, true)} leads` : counted(found, 'lead');
  const all = data === undefined ? null : totalText(data.total ?? 0, data.totalIsEstimate);
  return { all, found, foundText };
}

import { keepPreviousData } from '@tanstack/react-query';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { leadsPageSize, listedFilter } from '#shared/admin/adminLeads.ts';
import { totalText } from '#shared/formats/writing.ts';
import { filterQuery, type LeadSearchControl } from './leadSearch.ts';

type ShownLeads = Pick<LeadSearchControl, 'filter' | 'sort' | 'page' | 'upTo'>;

export function listInput({ filter, sort, page, upTo }: ShownLeads) {
  return { ...listedFilter(filter), sort, page, upTo, limit: leadsPageSize };
}
export type ListInput = ReturnType<typeof listInput>;

/** One page of leads. The previous one stays until it arrives. A slow total replaces its lower bound later. */
export function useLeadList(input: ListInput) {
  const list = adminApi.admin.leads.list.useQuery(input, { placeholderData: keepPreviousData });
  const { sort: _sort, page: _page, limit: _limit, ...filter } = input;
  const isGuessed = list.data?.totalIsEstimate === true && !list.isPlaceholderData;
  const counted = adminApi.admin.leads.total.useQuery(filter, {
    enabled: isGuessed,
  });
  const data = list.data && isGuessed ? { ...list.data, ...counted.data } : list.data;
  return { ...list, data };
}

/** The number of all leads without quarantined ones, as text, and of those that match the filter; null and 0 while they load. */
export function useLeadTotals(shown: ShownLeads): { all: string | null; found: number } {
  const list = useLeadList(listInput(shown));
  const hasFilter = filterQuery(shown.filter) !== '';
  const everything = adminApi.admin.leads.list.useQuery(
    { ...listedFilter({}), limit: 1 },
    { enabled: hasFilter },
  );
  const { data } = hasFilter ? everything : list;
  if (data === undefined) return { all: null, found: list.data?.total ?? 0 };
  return { all: totalText(data.total ?? 0, data.totalIsEstimate), found: list.data?.total ?? 0 };
}

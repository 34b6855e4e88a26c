import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'wouter';
import type { LeadFilter, LeadSort } from '#shared/admin/adminLeads.ts';
import { type LeadView, readView, writeView } from './leadSearchParams.ts';

export interface LeadViewControl {
  view: LeadView;
  /** From its first page. While someone types, each letter isn't a step of the browser's history. */
  setFilter: (filter: LeadFilter, isTyping?: boolean) => void;
  setSort: (sort: LeadSort) => void;
  setPage: (page: number) => void;
  closeLead: () => void;
  /** The address that also opens a lead's drawer. */
  hrefOf: (lead: number) => string;
  /** The address that shows what a filter lets through, from its first page. */
  hrefOfFilter: (filter: LeadFilter) => string;
}

/** Filters, order, page and open lead: kept in the address. */
export function useLeadView(): LeadViewControl {
  const [params, setParams] = useSearchParams();
  const view = useMemo(() => readView(params), [params]);
  const change = useCallback(
    (part: Partial<LeadView>, replace = false) =>
      setParams((now) => writeView(now, { ...readView(now), ...part }), { replace }),
    [setParams],
  );
  return {
    view,
    setFilter: (filter, isTyping = false) => change({ filter, page: 1 }, isTyping),
    setSort: (sort) => change({ sort, page: 1 }),
    setPage: (page) => (page === view.page ? undefined : change({ page })),
    closeLead: () => change({ lead: null }),
    hrefOf: (lead) => `?${writeView(params, { ...view, lead })}`,
    hrefOfFilter: (filter) => `?${writeView(params, { ...view, filter, page: 1, lead: null })}`,
  };
}

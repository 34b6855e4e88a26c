import { useState } from 'react';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { reportFailure } from '#client/admin/kit/reports.ts';
import { useSelection, type Selection } from '#client/admin/kit/listHooks.ts';
import { type AdminLead, leadsPageSize, type leadListOutput } from '#shared/admin/adminLeads.ts';
import { bulkLeadsMax } from '#shared/admin/leadActions.ts';
import { leadCopy } from '#shared/admin/leadCopy.ts';
import type { z } from 'zod';
import type { ListInput } from './useLeads.ts';

const noLeads: readonly AdminLead[] = [];
const pageSizeMax = 100;

export interface BulkSelection {
  /** The selected rows of the page. */
  rows: Selection;
  /** The selected leads, also those on other pages. */
  leads: readonly AdminLead[];
  /** Selects all leads that the filter matches. Null if they are selected, or too many for one change. */
  selectMatching: { count: number; start: () => void; isPending: boolean } | null;
}

/** The selected leads of the page, or all that the filter matches. */
export function useBulkSelection(
  input: ListInput,
  list: z.output<typeof leadListOutput> | undefined,
): BulkSelection {
  const shown = (list?.leads ?? noLeads).filter(({ isErased }) => !isErased);
  const rows = useSelection(shown);
  const utils = adminApi.useUtils();
  const [isPending, setIsPending] = useState(false);
  const [matching, setMatching] = useState<{ input: string; leads: AdminLead[] } | null>(null);
  const key = JSON.stringify(input);
  const isMatching = rows.isAll && matching?.input === key;
  async function start(count: number): Promise<void> {
    setIsPending(true);
    try {
      const found: AdminLead[] = [];
      for (let page = 1; (page - 1) * pageSizeMax < count; page += 1) {
        const wanted = { ...input, page, limit: pageSizeMax };
        found.push(...(await utils.admin.leads.list.fetch(wanted, { staleTime: 0 })).leads);
      }
      setMatching({ input: key, leads: found.filter(({ isErased }) => !isErased).slice(0, bulkLeadsMax) });
    } catch (error) {
      reportFailure(error, leadCopy.bulk.selectFailed);
    } finally {
      setIsPending(false);
    }
  }
  const { totalIsEstimate = true } = list ?? {};
  const total = list?.total ?? 0;
  const canSelectAll =
    rows.isAll && !isMatching && total > leadsPageSize && total <= bulkLeadsMax && !totalIsEstimate;
  return {
    rows,
    leads: isMatching ? matching.leads : shown.filter(({ id }) => rows.has(id)),
    selectMatching: canSelectAll
      ? { count: total, isPending, start: () => void (isPending ? undefined : start(total)) }
      : null,
  };
}

import { useState } from 'react';
import { flushSync } from 'react-dom';
import { useLocation, useSearchParams } from 'wouter';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { reportFailure } from '#client/admin/kit/reports.ts';
import { leadsPageSize, leadSearch, openLeadSearch } from '#shared/admin/adminLeads.ts';
import { searchParams } from '#shared/admin/searchParams.ts';
import { totalText } from '#shared/formats/writing.ts';
import { useLeadSearch } from '../leadSearch.ts';
import { listInput, useLeadList } from '../useLeads.ts';
import { workCopy } from './copy.ts';

const listCodec = searchParams(leadSearch);
const leadCodec = searchParams(openLeadSearch);

export interface Neighbors {
  /** '3 of 35' */
  position: string;
  /** Null: this is the first or the last lead. */
  previous: (() => void) | null;
  next: (() => void) | null;
  isBusy: boolean;
}

/**
 * The leads before and after the open one in the list behind it; null if it isn't on the page that the list shows.
 * Nothing is loaded in advance, because the audit log records each lead that is loaded.
 */
export function useNeighbors(id: number): Neighbors | null {
  const control = useLeadSearch();
  const input = listInput(control);
  const utils = adminApi.useUtils();
  const { data, isPlaceholderData } = useLeadList(input);
  const [params] = useSearchParams();
  const [, navigate] = useLocation();
  const [isBusy, setIsBusy] = useState(false);
  const index = data?.leads.findIndex((lead) => lead.id === id) ?? -1;
  if (data === undefined || isPlaceholderData || index < 0 || (params.get('tab') ?? 'leads') !== 'leads')
    return null;
  const { page } = control;
  const total = data.total ?? 0;
  const at = (page - 1) * leadsPageSize + index + 1;
  const open = (lead: number, search = listCodec.read(params)): void =>
    navigate(`?${leadCodec.write(listCodec.write(params, search), { lead })}`, { replace: true });
  /** The first lead of the next page, or the last one of the page before. */
  async function turn(to: number): Promise<void> {
    setIsBusy(true);
    const upTo = to === 1 ? undefined : (control.upTo ?? data?.newestId ?? undefined);
    try {
      const { leads } = await utils.admin.leads.list.fetch({ ...input, page: to, upTo });
      const lead = to > page ? leads[0] : leads.at(-1);
      // Before the lead is shown: its buttons and keys work at once.
      flushSync(() => setIsBusy(false));
      if (lead !== undefined) open(lead.id, { ...listCodec.read(params), page: to, upTo });
    } catch (error) {
      reportFailure(error, workCopy.neighborFailed);
    } finally {
      setIsBusy(false);
    }
  }
  const [before, after] = [data.leads[index - 1], data.leads[index + 1]];
  return {
    position: workCopy.position(
      at.toLocaleString('en-US'),
      totalText(Math.max(total, at), data.totalIsEstimate),
    ),
    previous: before !== undefined ? () => open(before.id) : page > 1 ? () => void turn(page - 1) : null,
    next:
      after !== undefined
        ? () => open(after.id)
        : at < total || data.totalIsEstimate
          ? () => void turn(page + 1)
          : null,
    isBusy,
  };
}

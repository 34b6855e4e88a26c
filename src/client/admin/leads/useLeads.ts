import { keepPreviousData } from '@tanstack/react-query';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { reportFailure, reportOutcome, reportSuccess } from '#client/admin/kit/reports.ts';
import { toApiError } from '#client/api/trpc.ts';
import { leadsPageSize } from '#shared/admin/adminLeads.ts';
import { adminMessages, adminCopy } from '#shared/admin/copy.ts';
import { filterQuery } from './leadSearch.ts';
import type { LeadSearchControl } from './useLeadSearch.ts';

type ShownLeads = Pick<LeadSearchControl, 'filter' | 'sort' | 'page'>;

/** The input of the list query. */
export function listInput({ filter, sort, page }: ShownLeads) {
  return { ...filter, sort, page, limit: leadsPageSize };
}
export type ListInput = ReturnType<typeof listInput>;

/** One page of leads; the one before stays while it comes. */
export function useLeadList(input: ListInput) {
  return adminApi.adminLeads.list.useQuery(input, { placeholderData: keepPreviousData });
}

/** How many leads there are in all, as the tab shows it, and how many are looked at; null and 0 until that is known. */
export function useLeadTotals(shown: ShownLeads): { all: string | null; found: number } {
  const list = useLeadList(listInput(shown));
  const hasFilter = filterQuery(shown.filter) !== '';
  const everything = adminApi.adminLeads.list.useQuery({ limit: 1 }, { enabled: hasFilter });
  const { data } = hasFilter ? everything : list;
  if (data === undefined) return { all: null, found: list.data?.total ?? 0 };
  const count = data.total.toLocaleString('en-US');
  return {
    all: data.totalIsEstimate ? adminCopy.tabs.about(count) : count,
    found: list.data?.total ?? 0,
  };
}

/** How many leads staff have to do something about, by what. */
export function useWorklist() {
  return adminApi.adminLeads.worklist.useQuery();
}

/** One lead with its history. Asking is written in the audit log: never ask ahead. */
export function useLead(id: number) {
  return adminApi.adminLeads.get.useQuery({ id });
}

/** Clinics for a lead, nearest first; asked for once a list is open. */
export function useCandidates(id: number, search: string, isWanted: boolean) {
  const query = search.trim();
  return adminApi.adminLeads.candidates.useQuery(query === '' ? { id } : { id, search: query }, {
    enabled: isWanted,
    placeholderData: keepPreviousData,
  });
}

/** Everything that shows a lead or its deliveries is asked for anew; providers, whose leads are counted, when they are next shown. */
function useRefresh(): () => Promise<void> {
  const utils = adminApi.useUtils();
  return async () => {
    await Promise.all([
      utils.adminLeads.invalidate(),
      utils.deliveries.invalidate(),
      utils.adminProviders.list.invalidate(undefined, { refetchType: 'none' }),
    ]);
  };
}

export function useAssignLead() {
  const refresh = useRefresh();
  return adminApi.adminLeads.assign.useMutation({
    onSuccess: () => reportSuccess(adminMessages.assign.done),
    onError: (error) => reportFailure(error, adminMessages.assign.failed),
    onSettled: refresh,
  });
}

/** The row is gone at once; Undo, or a failure, brings it back. */
export function useRemoveLead(input: ListInput, onUndo: (id: number) => void) {
  const utils = adminApi.useUtils();
  const refresh = useRefresh();
  const restore = useRestoreLead();
  return adminApi.adminLeads.remove.useMutation({
    onMutate: async ({ id }) => {
      await utils.adminLeads.list.cancel(input);
      const before = utils.adminLeads.list.getData(input);
      if (before !== undefined)
        utils.adminLeads.list.setData(input, {
          ...before,
          leads: before.leads.filter((lead) => lead.id !== id),
          total: Math.max(0, before.total - 1),
        });
      return { before };
    },
    onSuccess: (_, { id }) =>
      reportSuccess(adminMessages.remove.done, () => {
        onUndo(id);
        restore.mutate({ id });
      }),
    onError: (error, _, context) => {
      utils.adminLeads.list.setData(input, context?.before);
      reportFailure(error, adminMessages.remove.failed(toApiError(error).statusText));
    },
    onSettled: refresh,
  });
}

/** `onRestored`: at once, before whatever shows the lead is asked for anew. */
export function useRestoreLead(onRestored?: () => void) {
  const refresh = useRefresh();
  return adminApi.adminLeads.restore.useMutation({
    onSuccess: () => {
      onRestored?.();
      reportSuccess(adminMessages.restore.done);
    },
    onError: (error) => reportFailure(error, adminMessages.restore.failed),
    onSettled: refresh,
  });
}

export function useReleaseLead() {
  const refresh = useRefresh();
  return adminApi.adminLeads.release.useMutation({
    onSuccess: () => reportSuccess(adminMessages.release.done),
    onError: (error) => reportFailure(error, adminMessages.release.failed),
    onSettled: refresh,
  });
}

/** In the wrong area: the lead may have another provider after that, or none. */
export function useRecordOutcome() {
  const refresh = useRefresh();
  return adminApi.leadOutcomes.note.useMutation({
    onSuccess: () => reportSuccess(adminMessages.outcome.done),
    onError: (error) => reportFailure(error, adminMessages.outcome.failed),
    onSettled: refresh,
  });
}

export function useSuppressLead() {
  const refresh = useRefresh();
  return adminApi.suppressions.add.useMutation({
    onSuccess: () => reportSuccess(adminMessages.suppress.done),
    onError: (error) => reportFailure(error, adminMessages.suppress.failed),
    onSettled: refresh,
  });
}

/** `onLifted`: at once, before whatever shows the lead is asked for anew. */
export function useLiftSuppression(onLifted: () => void) {
  const refresh = useRefresh();
  return adminApi.suppressions.lift.useMutation({
    onSuccess: () => {
      onLifted();
      reportSuccess(adminMessages.lift.done);
    },
    onSettled: refresh,
  });
}

/** `onDone`: at once, before whatever shows the lead is asked for anew. */
export function useCompleteTask(onDone: () => void) {
  const refresh = useRefresh();
  return adminApi.staffTasks.complete.useMutation({
    onSuccess: (_, { decision }) => {
      onDone();
      reportSuccess(adminMessages.task[decision === 'stop-phone' ? 'stopped' : 'kept']);
    },
    onError: (error) => reportFailure(error, adminMessages.task.failed),
    onSettled: refresh,
  });
}

export function useRetrySync() {
  const refresh = useRefresh();
  return adminApi.adminLeads.retrySync.useMutation({
    onSuccess: (outcome) => reportOutcome(outcome, adminMessages.retrySync),
    onError: (error) => reportFailure(error, adminMessages.retrySync.failed),
    onSettled: refresh,
  });
}

export function useRetryEmail() {
  const refresh = useRefresh();
  return adminApi.adminLeads.retryEmail.useMutation({
    onSuccess: (outcome) => reportOutcome(outcome, adminMessages.retryEmail),
    onError: (error) => reportFailure(error, adminMessages.retryEmail.failed),
    onSettled: refresh,
  });
}

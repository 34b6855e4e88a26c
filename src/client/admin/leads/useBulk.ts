import { type RefObject, useEffect, useRef, useState } from 'react';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import {
  reportFailure,
  reportProblem,
  reportSuccess,
  withOutcome,
  withReport,
} from '#client/admin/kit/reports.ts';
import { adminCopy, adminMessages } from '#shared/admin/copy.ts';
import { type Reassignment, useAssignLeads } from './useAssignLeads.ts';
import { useSelection, type Selection } from '#client/admin/kit/listHooks.ts';
import { type AdminLead, leadsPageSize, type leadListOutput } from '#shared/admin/adminLeads.ts';
import { type BulkLeads, bulkLeadsMax } from '#shared/admin/leadActions.ts';
import { leadCopy } from '#shared/admin/leadCopy.ts';
import type { z } from 'zod';
import type { ListInput } from './useLeads.ts';

export interface BulkActions {
  /** To a provider, or with null each to its nearest. */
  assign: (ids: number[], providerId: number | null, name: string | null) => void;
  remove: (ids: number[]) => void;
  restore: (ids: number[]) => void;
  release: (ids: number[]) => void;
  retrySync: (ids: number[]) => void;
  resendToProvider: (ids: number[]) => void;
  isBusy: boolean;
  reassignment: Reassignment;
}

/** Changes of several leads. `onDone` removes the pressed button with the selection, so the list gets the focus. */
export function useBulk(onDone: () => void, list: RefObject<HTMLElement | null>): BulkActions {
  const toReport = ({ done, failed }: { done: (count: number) => string; failed: string }) => ({
    done: ({ changed }: { changed: number[] }) => done(changed.length),
    failed,
    onDone,
  });
  const { assign, isPending: isAssigning, reassignment } = useAssignLeads(onDone);
  const restore = adminApi.admin.leads.bulkRestore.useMutation(
    withReport(toReport(adminMessages.bulkRestore)),
  );
  const remove = adminApi.admin.leads.bulkRemove.useMutation(
    withReport({
      ...toReport(adminMessages.bulkRemove),
      // Only the leads that this request deleted: another person may have deleted the others on purpose.
      undo: ({ changed }) => (changed.length === 0 ? null : () => restore.mutate({ ids: changed })),
    }),
  );
  const release = adminApi.admin.leads.bulkRelease.useMutation(
    withReport(toReport(adminMessages.bulkRelease)),
  );
  const retrySync = adminApi.admin.leads.bulkRetrySync.useMutation(withOutcome(adminMessages.bulkRetrySync));
  const resendTexts = adminMessages.resendToProvider;
  const resend = adminApi.admin.leads.bulkResendToProvider.useMutation(
    withReport({
      failed: resendTexts.failed,
      onDone: ({ changed }, leads: BulkLeads) =>
        changed.length === 0
          ? reportProblem(adminCopy.error, resendTexts.none)
          : reportSuccess(
              resendTexts.queued(changed.length, 'ids' in leads ? leads.ids.length : leads.expected),
            ),
    }),
  );
  const isBusy =
    isAssigning || [restore, remove, release, retrySync, resend].some(({ isPending }) => isPending);
  const isWaiting = isBusy || reassignment.question !== null;
  const wasWaiting = useRef(false);
  useEffect(() => {
    const isFocusLost = document.activeElement === document.body;
    if (wasWaiting.current && !isWaiting && isFocusLost) list.current?.focus({ preventScroll: true });
    wasWaiting.current = isWaiting;
  }, [isWaiting, list]);
  return {
    assign,
    remove: (ids) => remove.mutate({ ids }),
    restore: (ids) => restore.mutate({ ids }),
    release: (ids) => release.mutate({ ids }),
    retrySync: (ids) => retrySync.mutate({ ids }),
    resendToProvider: (ids) => resend.mutate({ ids }),
    isBusy,
    reassignment,
  };
}

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

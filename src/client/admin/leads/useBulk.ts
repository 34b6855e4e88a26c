import { type RefObject, useEffect, useRef } from 'react';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { reportOutcome, withReport } from '#client/admin/kit/reports.ts';
import { adminMessages } from '#shared/admin/copy.ts';
import { useRefreshLeads } from './useLeadChanges.ts';

export interface BulkActions {
  assign: (ids: number[], providerId: number) => void;
  remove: (ids: number[]) => void;
  release: (ids: number[]) => void;
  retrySync: (ids: number[]) => void;
  isBusy: boolean;
}

interface BulkOutput {
  changed: number[];
}

interface BulkTexts {
  done: (count: number) => string;
  failed: string;
}

/**
 * Changes of several leads. `onDone` clears the selection and so removes the pressed button: the list gets the focus.
 */
export function useBulk(onDone: () => void, list: RefObject<HTMLElement | null>): BulkActions {
  const refresh = useRefreshLeads();
  const reportOf = ({ done, failed }: BulkTexts) => ({
    done: ({ changed }: BulkOutput) => done(changed.length),
    failed,
    onDone,
    refresh,
  });
  const assign = adminApi.adminLeads.bulkAssign.useMutation(withReport(reportOf(adminMessages.bulkAssign)));
  const restore = adminApi.adminLeads.bulkRestore.useMutation(
    withReport(reportOf(adminMessages.bulkRestore)),
  );
  const remove = adminApi.adminLeads.bulkRemove.useMutation(
    withReport({
      ...reportOf(adminMessages.bulkRemove),
      // Only the leads that this request deleted: another person may have deleted the others on purpose.
      undo: ({ changed }) => (changed.length === 0 ? null : () => restore.mutate({ ids: changed })),
    }),
  );
  const release = adminApi.adminLeads.bulkRelease.useMutation(
    withReport(reportOf(adminMessages.bulkRelease)),
  );
  const retrySync = adminApi.adminLeads.bulkRetrySync.useMutation(
    withReport({
      failed: adminMessages.bulkRetrySync.failed,
      onDone: (outcome) => reportOutcome(outcome, adminMessages.bulkRetrySync),
      refresh,
    }),
  );
  const isBusy = [assign, remove, release, retrySync].some(({ isPending }) => isPending);
  const isPending = isBusy || restore.isPending;
  const wasPending = useRef(false);
  useEffect(() => {
    const isFocusLost = document.activeElement === document.body;
    if (wasPending.current && !isPending && isFocusLost) list.current?.focus({ preventScroll: true });
    wasPending.current = isPending;
  }, [isPending, list]);
  return {
    assign: (ids, providerId) => assign.mutate({ ids, providerId }),
    remove: (ids) => remove.mutate({ ids }),
    release: (ids) => release.mutate({ ids }),
    retrySync: (ids) => retrySync.mutate({ ids }),
    isBusy,
  };
}

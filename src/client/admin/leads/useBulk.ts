import { type RefObject, useEffect, useRef } from 'react';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { reportProblem, reportSuccess, withOutcome, withReport } from '#client/admin/kit/reports.ts';
import { adminCopy, adminMessages } from '#shared/admin/copy.ts';
import { type Reassignment, useAssignLeads } from './useAssignLeads.ts';

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
  const toReport = ({ done, failed }: BulkTexts) => ({
    done: ({ changed }: BulkOutput) => done(changed.length),
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
      onDone: ({ changed }, { ids }: { ids: number[] }) =>
        changed.length === 0
          ? reportProblem(adminCopy.error, resendTexts.none)
          : reportSuccess(resendTexts.queued(changed.length, ids.length)),
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

import { type RefObject, useEffect, useRef } from 'react';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { reportFailure, reportOutcome, reportSuccess } from '#client/admin/kit/reports.ts';
import { adminMessages } from '#shared/admin/copy.ts';

export interface BulkActions {
  assign: (ids: number[], providerId: number) => void;
  remove: (ids: number[]) => void;
  release: (ids: number[]) => void;
  retrySync: (ids: number[]) => void;
  isBusy: boolean;
}

/**
 * What can be done to several leads at once. `onDone`: it is done, and nothing need be selected any more. As that takes the pressed button away, the
 * focus goes to the list.
 */
export function useBulk(onDone: () => void, list: RefObject<HTMLElement | null>): BulkActions {
  const isOver = useRef(false);
  const utils = adminApi.useUtils();
  async function refresh(): Promise<void> {
    isOver.current = true;
    await Promise.all([
      utils.adminLeads.invalidate(),
      utils.adminProviders.list.invalidate(undefined, { refetchType: 'none' }),
    ]);
  }
  const handling = (texts: { done: (count: number) => string; failed: string }) => ({
    onSuccess: ({ changed }: { changed: number[] }) => {
      onDone();
      reportSuccess(texts.done(changed.length));
    },
    onError: (error: unknown) => reportFailure(error, texts.failed),
    onSettled: refresh,
  });
  const assign = adminApi.adminLeads.bulkAssign.useMutation(handling(adminMessages.bulkAssign));
  const restore = adminApi.adminLeads.bulkRestore.useMutation(handling(adminMessages.bulkRestore));
  const remove = adminApi.adminLeads.bulkRemove.useMutation({
    ...handling(adminMessages.bulkRemove),
    onSuccess: ({ changed }) => {
      onDone();
      // Those alone: others that were selected may have been deleted by somebody else, who meant it.
      const undo = (): void => restore.mutate({ ids: changed });
      reportSuccess(adminMessages.bulkRemove.done(changed.length), changed.length === 0 ? undefined : undo);
    },
  });
  const release = adminApi.adminLeads.bulkRelease.useMutation(handling(adminMessages.bulkRelease));
  const retrySync = adminApi.adminLeads.bulkRetrySync.useMutation({
    onSuccess: (outcome) => reportOutcome(outcome, adminMessages.bulkRetrySync),
    onError: (error) => reportFailure(error, adminMessages.bulkRetrySync.failed),
    onSettled: refresh,
  });
  const isBusy = [assign, remove, release, retrySync].some(({ isPending }) => isPending);
  // After each drawing, until it is over; whoever has gone on elsewhere is left there.
  useEffect(() => {
    if (!isOver.current || isBusy) return;
    isOver.current = false;
    if (document.activeElement === document.body) list.current?.focus({ preventScroll: true });
  });
  return {
    assign: (ids, providerId) => assign.mutate({ ids, providerId }),
    remove: (ids) => remove.mutate({ ids }),
    release: (ids) => release.mutate({ ids }),
    retrySync: (ids) => retrySync.mutate({ ids }),
    isBusy,
  };
}

import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { reportFailure, reportProblem, withOutcome, withReport } from '#client/admin/kit/reports.ts';
import { toApiError } from '#client/api/trpc.ts';
import { adminCopy, adminMessages } from '#shared/admin/copy.ts';
import type { ListInput } from './useLeads.ts';

/** The row is removed before the server responds. Undo or a failure restores it. */
export function useRemoveLead(input: ListInput, onUndo: (id: number) => void) {
  const utils = adminApi.useUtils();
  const restore = useRestoreLead();
  return adminApi.admin.leads.remove.useMutation({
    ...withReport({
      done: adminMessages.remove.done,
      undo:
        (_, { id }: { id: number }) =>
        () => {
          onUndo(id);
          restore.mutate({ id });
        },
    }),
    onMutate: async ({ id }) => {
      await utils.admin.leads.list.cancel(input);
      const before = utils.admin.leads.list.getData(input);
      if (before !== undefined)
        utils.admin.leads.list.setData(input, {
          ...before,
          leads: before.leads.filter((lead) => lead.id !== id),
          total: Math.max(0, (before.total ?? 0) - 1),
        });
      return { before };
    },
    onError: (error, _, context) => {
      utils.admin.leads.list.setData(input, context?.before);
      const { statusText, userMessage } = toApiError(error);
      const text = adminMessages.remove.failed(statusText);
      if (userMessage === null && statusText !== '') reportProblem(adminCopy.error, text);
      else reportFailure(error, text);
    },
  });
}

export function useRestoreLead(onDone?: () => void) {
  const { done, failed } = adminMessages.remove;
  const remove = adminApi.admin.leads.remove.useMutation(withReport({ done, failed: failed('') }));
  return adminApi.admin.leads.restore.useMutation(
    withReport({
      ...adminMessages.restore,
      onDone,
      undo:
        (_, { id }: { id: number }) =>
        () =>
          remove.mutate({ id }),
    }),
  );
}

export function useReleaseLead() {
  return adminApi.admin.leads.release.useMutation(withReport(adminMessages.release));
}

export function useRetrySync() {
  return adminApi.admin.leads.retrySync.useMutation(withOutcome(adminMessages.retrySync));
}

export function useResendToProvider() {
  return adminApi.admin.leads.resendToProvider.useMutation(withOutcome(adminMessages.resendToProvider));
}

export function useRetryEmail() {
  return adminApi.admin.leads.retryEmail.useMutation(withOutcome(adminMessages.retryEmail));
}

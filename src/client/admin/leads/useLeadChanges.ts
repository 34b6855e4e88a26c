import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { reportFailure, reportOutcome, reportProblem, withReport } from '#client/admin/kit/reports.ts';
import { toApiError } from '#client/api/trpc.ts';
import { adminCopy, adminMessages } from '#shared/admin/copy.ts';
import { correctionCopy } from './copy.ts';
import type { ListInput } from './useLeads.ts';

/** Reloads what shows a lead or its deliveries. Providers, which count their leads, reload when they are next shown. */
export function useRefreshLeads(): () => Promise<void> {
  const utils = adminApi.useUtils();
  return async () => {
    await Promise.all([
      utils.admin.leads.invalidate(),
      utils.admin.deliveries.invalidate(),
      utils.admin.providers.list.invalidate(undefined, { refetchType: 'none' }),
    ]);
  };
}

/** The row is removed before the server responds. Undo or a failure restores it. */
export function useRemoveLead(input: ListInput, onUndo: (id: number) => void) {
  const utils = adminApi.useUtils();
  const refresh = useRefreshLeads();
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
      refresh,
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
  const refresh = useRefreshLeads();
  return adminApi.admin.leads.restore.useMutation(
    withReport({ ...adminMessages.restore, ...(onDone === undefined ? {} : { onDone }), refresh }),
  );
}

export function useReleaseLead() {
  const refresh = useRefreshLeads();
  return adminApi.admin.leads.release.useMutation(withReport({ ...adminMessages.release, refresh }));
}

/** The form reports failures. */
export function useCorrectLead(onDone: () => void) {
  const refresh = useRefreshLeads();
  return adminApi.admin.leads.correct.useMutation(withReport({ done: correctionCopy.done, onDone, refresh }));
}

/** An outcome of `wrong-area` may match the lead with another provider, or with none. */
export function useRecordOutcome() {
  const refresh = useRefreshLeads();
  return adminApi.admin.outcomes.note.useMutation(withReport({ ...adminMessages.outcome, refresh }));
}

export function useSuppressLead() {
  const refresh = useRefreshLeads();
  return adminApi.admin.suppressions.add.useMutation(withReport({ ...adminMessages.suppress, refresh }));
}

/** The form reports failures. */
export function useLiftSuppression(onDone: () => void) {
  const refresh = useRefreshLeads();
  return adminApi.admin.suppressions.lift.useMutation(withReport({ ...adminMessages.lift, onDone, refresh }));
}

export function useCompleteTask(onDone: () => void) {
  const refresh = useRefreshLeads();
  const { stopped, kept, failed } = adminMessages.task;
  return adminApi.admin.tasks.complete.useMutation(
    withReport({
      done: (_, { decision }) => (decision === 'keep-serving' ? kept : stopped),
      failed,
      onDone,
      refresh,
    }),
  );
}

export function useRetrySync() {
  const refresh = useRefreshLeads();
  const texts = adminMessages.retrySync;
  return adminApi.admin.leads.retrySync.useMutation(
    withReport({ failed: texts.failed, onDone: (outcome) => reportOutcome(outcome, texts), refresh }),
  );
}

export function useResendToProvider() {
  const refresh = useRefreshLeads();
  const texts = adminMessages.resendToProvider;
  return adminApi.admin.leads.resendToProvider.useMutation(
    withReport({ failed: texts.failed, onDone: (outcome) => reportOutcome(outcome, texts), refresh }),
  );
}

export function useRetryEmail() {
  const refresh = useRefreshLeads();
  const texts = adminMessages.retryEmail;
  return adminApi.admin.leads.retryEmail.useMutation(
    withReport({ failed: texts.failed, onDone: (outcome) => reportOutcome(outcome, texts), refresh }),
  );
}

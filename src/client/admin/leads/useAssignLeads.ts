import { useState } from 'react';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { reportFailure, reportSuccess, withReport } from '#client/admin/kit/reports.ts';
import { toApiError } from '#client/api/trpc.ts';
import { adminMessages } from '#shared/admin/copy.ts';
import { leadCopy } from '#shared/admin/leadCopy.ts';
import type { ErrorReason } from '#shared/errorCodes.ts';
import { useRefreshLeads } from './useLeadChanges.ts';

const namesOther: ErrorReason = 'consent-names-other-provider';

/** Leads whose consent names another provider than the chosen one. */
interface Question {
  ids: number[];
  providerId: number;
  /** Which provider the consent names. */
  text: string;
}

/** Asks staff before leads go to a provider that their consent does not name. */
export interface Reassignment {
  question: Question | null;
  confirm: () => void;
  cancel: () => void;
}

interface AssignLeads {
  assign: (ids: number[], providerId: number) => void;
  isPending: boolean;
  reassignment: Reassignment;
}

/** Takes back the latest assignments of leads by this person, until their deliveries leave. */
function useUndoAssign() {
  const refresh = useRefreshLeads();
  const texts = adminMessages.undoAssign;
  return adminApi.adminLeads.undoAssign.useMutation(
    withReport({
      done: ({ changed, refused }) =>
        refused.length === 0
          ? texts.done(changed.length)
          : texts.partly(
              changed.length,
              [...new Set(refused.map(({ reason }) => reason))].map((reason) => ({
                count: refused.filter((lead) => lead.reason === reason).length,
                reason,
              })),
            ),
      failed: texts.failed,
      refresh,
    }),
  );
}

interface AssignLeadCallbacks {
  /** Runs when the dialog is about to close. */
  onAnswered?: (isConfirmed: boolean) => void;
  /** Runs when the assignment of a lead is taken back. */
  onUndo?: (id: number) => void;
}

/** Assigns one lead to a provider, and offers to undo it until its deliveries leave. */
export function useAssignLead({ onAnswered, onUndo }: AssignLeadCallbacks = {}): AssignLeads & {
  busyId: number | null;
} {
  const refresh = useRefreshLeads();
  const undo = useUndoAssign();
  const [question, setQuestion] = useState<Question | null>(null);
  const { mutate, isPending, variables } = adminApi.adminLeads.assign.useMutation({
    onSuccess: (_, { id }) =>
      reportSuccess(adminMessages.assign.done, () => {
        onUndo?.(id);
        undo.mutate({ ids: [id] });
      }),
    onError: (error, { id, providerId }) => {
      const { reason, userMessage } = toApiError(error);
      if (reason === namesOther) setQuestion({ ids: [id], providerId, text: userMessage ?? '' });
      else reportFailure(error, adminMessages.assign.failed);
    },
    onSettled: refresh,
  });
  const send = (ids: readonly number[], providerId: number, confirmed: boolean): void => {
    for (const id of ids) mutate({ id, providerId, confirmed });
  };
  function answer(isConfirmed: boolean): void {
    setQuestion(null);
    onAnswered?.(isConfirmed);
    if (isConfirmed && question !== null) send(question.ids, question.providerId, true);
  }
  return {
    assign: (ids, providerId) => send(ids, providerId, false),
    isPending: isPending || undo.isPending,
    busyId: isPending ? variables.id : undo.isPending ? (undo.variables.ids[0] ?? null) : null,
    reassignment: { question, confirm: () => answer(true), cancel: () => answer(false) },
  };
}

/** Assigns several leads to a provider. Those whose consent names another one wait for the staff's answer. */
export function useAssignLeads(onDone: () => void): AssignLeads {
  const refresh = useRefreshLeads();
  const undo = useUndoAssign();
  const [question, setQuestion] = useState<Question | null>(null);
  const { mutate, isPending } = adminApi.adminLeads.bulkAssign.useMutation({
    onSuccess: ({ changed, needConfirmation }, { providerId }) => {
      if (changed.length > 0 || needConfirmation.length === 0)
        reportSuccess(
          adminMessages.bulkAssign.done(changed.length),
          changed.length === 0 ? undefined : () => undo.mutate({ ids: changed }),
        );
      if (needConfirmation.length === 0) {
        onDone();
        return;
      }
      const names = [...new Set(needConfirmation.map(({ provider }) => provider))];
      setQuestion({
        ids: needConfirmation.map(({ id }) => id),
        providerId,
        text: leadCopy.reassign.names(needConfirmation.length, names),
      });
    },
    onError: (error) => reportFailure(error, adminMessages.bulkAssign.failed),
    onSettled: refresh,
  });
  return {
    assign: (ids, providerId) => mutate({ ids, providerId, confirmed: false }),
    isPending: isPending || undo.isPending,
    reassignment: {
      question,
      confirm: () => {
        setQuestion(null);
        if (question !== null)
          mutate({ ids: question.ids, providerId: question.providerId, confirmed: true });
      },
      cancel: () => setQuestion(null),
    },
  };
}

import { useRef, useState } from 'react';
import type { z } from 'zod';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { reportFailure, reportProblem, reportSuccess, withReport } from '#client/admin/kit/reports.ts';
import { toApiError } from '#client/api/trpc.ts';
import { adminCopy, adminMessages } from '#shared/admin/copy.ts';
import type { AdminLead } from '#shared/admin/adminLeads.ts';
import type { assignPreviewOutput, BulkLeads } from '#shared/admin/leadActions.ts';
import { leadCopy } from '#shared/admin/leadCopy.ts';
import type { ErrorReason } from '#shared/errorCodes.ts';
import { distanceText } from '#shared/formats/writing.ts';
import { useBulkAssign, useUndoAssign } from './bulkCalls.ts';
import { leadName, takeAwayCopy } from './copy.ts';

const namesOther: ErrorReason = 'consent-names-other-provider';

/** What staff confirm before leads are assigned. */
interface Question {
  leads: BulkLeads;
  /** Null: each to its nearest. */
  providerId: number | null;
  title: string;
  text: string;
  /** On the button. */
  action: string;
  /** Whether the answer also covers consents that name another provider. */
  coversConsent: boolean;
}

/** Asks staff before leads go far, or to a provider that their consent does not name. */
export interface Reassignment {
  question: Question | null;
  confirm: () => void;
  cancel: () => void;
}

interface Assigning {
  isPending: boolean;
  reassignment: Reassignment;
}

function consentQuestion(
  { ids, providerId }: { ids: number[]; providerId: number | null },
  namedText: string,
): Question {
  const { title, warning, confirm: action } = leadCopy.reassign;
  const text = `${namedText} ${warning}`;
  return { leads: { ids }, providerId, title: title(ids.length), text, action, coversConsent: true };
}

function distanceQuestion(
  { leads, providerId, name }: Pick<Question, 'leads' | 'providerId'> & { name: string | null },
  {
    leads: count,
    kept,
    miles,
    outside,
    unplaced,
    nextNearest,
    radiusMiles,
  }: z.infer<typeof assignPreviewOutput>,
): Question {
  const copy = leadCopy.distances;
  const text = [
    ...(miles === null ? [] : [`${copy.range(miles)}.`]),
    ...(outside === 0 ? [] : [copy.outside(outside, radiusMiles)]),
    ...(nextNearest === 0 ? [] : [copy.nextNearest(nextNearest)]),
    ...(kept === 0 ? [] : [copy.kept(kept)]),
    ...(unplaced === 0 ? [] : [providerId === null ? copy.notPlaced(unplaced) : copy.unplaced(unplaced)]),
  ].join(' ');
  const title = copy.title(count, name);
  return { leads, providerId, title, text, action: copy.confirm(count), coversConsent: false };
}

/** Who has been given to whom, and how far away that is. */
function describeMatch(lead: AdminLead): string {
  const { provider, match } = lead;
  const miles = match.miles === null ? '' : `, ${distanceText(match.miles)}`;
  return provider === null ? leadName(lead) : `${leadName(lead)}: ${provider.name}${miles}`;
}

interface AssignLeadCallbacks {
  /** Runs when the dialog is about to close. */
  onAnswered?: (isConfirmed: boolean) => void;
  /** Runs when the assignment of a lead is taken back. */
  onUndo?: (id: number) => void;
}

/** Assigns one lead to a provider, and offers to undo it until its deliveries leave. */
export function useAssignLead({ onAnswered, onUndo }: AssignLeadCallbacks = {}): Assigning & {
  assign: (ids: number[], providerId: number) => void;
  busyId: number | null;
} {
  const undo = useUndoAssign();
  const [question, setQuestion] = useState<Question | null>(null);
  const { mutate, isPending, variables } = adminApi.admin.leads.assign.useMutation({
    onSuccess: (lead, { id }) =>
      reportSuccess(
        adminMessages.assign.done,
        () => {
          onUndo?.(id);
          undo.mutate([id]);
        },
        describeMatch(lead),
      ),
    onError: (error, { id, providerId }) => {
      const { reason, userMessage } = toApiError(error);
      if (reason === namesOther) setQuestion(consentQuestion({ ids: [id], providerId }, userMessage ?? ''));
      else reportFailure(error, adminMessages.assign.failed);
    },
  });
  const send = (ids: readonly number[], providerId: number, confirmed: boolean): void => {
    for (const id of ids) mutate({ id, providerId, confirmed });
  };
  function answer(isConfirmed: boolean): void {
    setQuestion(null);
    onAnswered?.(isConfirmed);
    const { leads, providerId = null } = question ?? {};
    if (isConfirmed && leads !== undefined && 'ids' in leads && providerId !== null)
      send(leads.ids, providerId, true);
  }
  return {
    assign: (ids, providerId) => send(ids, providerId, false),
    isPending: isPending || undo.isPending,
    busyId: isPending ? variables.id : undo.isPending ? (undo.variables[0] ?? null) : null,
    reassignment: { question, confirm: () => answer(true), cancel: () => answer(false) },
  };
}

/** Takes a lead away from its provider, and offers to undo it. */
export function useTakeAway() {
  const undo = useUndoAssign(() => takeAwayCopy.undone);
  return adminApi.admin.leads.takeAway.useMutation(
    withReport({
      // The latest email was the one to that provider.
      done: ({ providerDelivery: email }: AdminLead) =>
        email?.state === 'delivered' ? takeAwayCopy.doneSent : takeAwayCopy.done,
      about: leadName,
      undo:
        (_, { id }: { id: number }) =>
        () =>
          undo.mutate([id]),
      failed: takeAwayCopy.failed,
    }),
  );
}

/** Assigns leads to one provider or each to its nearest. Asks for a distance, then about consents that name another. */
export function useAssignLeads(onDone: () => void): Assigning & {
  assign: (leads: BulkLeads, providerId: number | null, name: string | null) => void;
} {
  const undo = useUndoAssign();
  const utils = adminApi.useUtils();
  const [isMeasuring, setIsMeasuring] = useState(false);
  const providerName = useRef<string | null>(null);
  const [question, setQuestion] = useState<Question | null>(null);
  const { mutate, isPending } = useBulkAssign({
    onSuccess: ({ changed, needConfirmation }, { providerId }) => {
      if (changed.length > 0 || needConfirmation.length === 0)
        reportSuccess(
          adminMessages.bulkAssign.done(changed.length),
          changed.length === 0 ? undefined : () => undo.mutate(changed),
          providerName.current ?? undefined,
        );
      if (needConfirmation.length === 0) {
        onDone();
        return;
      }
      const names = [...new Set(needConfirmation.map(({ provider }) => provider))];
      const ids = needConfirmation.map(({ id }) => id);
      setQuestion(consentQuestion({ ids, providerId }, leadCopy.reassign.names(ids.length, names)));
    },
    onError: (error) => reportFailure(error, adminMessages.bulkAssign.failed),
  });
  async function measure(leads: BulkLeads, providerId: number | null, name: string | null): Promise<void> {
    setIsMeasuring(true);
    try {
      const input = { ...leads, providerId };
      const preview = await utils.admin.leads.previewAssign.fetch(input, { staleTime: 0 });
      const isPlain = preview.outside + preview.unplaced + preview.nextNearest === 0;
      if (preview.leads === 0) reportProblem(adminCopy.error, leadCopy.distances.none);
      else if (providerId === null && isPlain) mutate({ leads, providerId, confirmed: false });
      else setQuestion(distanceQuestion({ leads, providerId, name }, preview));
    } catch (error) {
      reportFailure(error, leadCopy.distances.failed);
    } finally {
      setIsMeasuring(false);
    }
  }
  return {
    assign: (leads, providerId, name) => {
      providerName.current = name;
      // The list of providers already showed the distance of one lead.
      if ('ids' in leads && leads.ids.length === 1) mutate({ leads, providerId, confirmed: false });
      else void measure(leads, providerId, name);
    },
    isPending: isPending || undo.isPending || isMeasuring,
    reassignment: {
      question,
      confirm: () => {
        setQuestion(null);
        if (question === null) return;
        const { leads, providerId, coversConsent } = question;
        mutate({ leads, providerId, confirmed: coversConsent });
      },
      cancel: () => setQuestion(null),
    },
  };
}

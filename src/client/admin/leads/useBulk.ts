import { type RefObject, useEffect, useRef, useState } from 'react';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { reportProblem, reportSuccess, withOutcome, withReport } from '#client/admin/kit/reports.ts';
import { adminCopy, adminMessages } from '#shared/admin/copy.ts';
import { type Reassignment, useAssignLeads } from './useAssignLeads.ts';
import { useSelection, type Selection } from '#client/admin/kit/listHooks.ts';
import { type AdminLead, leadsPageSize, type leadListOutput } from '#shared/admin/adminLeads.ts';
import { type BulkLeads, matchingLeadsMax } from '#shared/admin/leadActions.ts';
import type { z } from 'zod';
import { type ListInput, toMatchingFilter } from './useLeads.ts';
import { useUndoDelete } from './bulkCalls.ts';

export interface BulkActions {
  /** To a provider, or with null each to its nearest. */
  assign: (leads: BulkLeads, providerId: number | null, name: string | null) => void;
  remove: (leads: BulkLeads) => void;
  restore: (leads: BulkLeads) => void;
  release: (leads: BulkLeads) => void;
  retrySync: (leads: BulkLeads) => void;
  resendToProvider: (leads: BulkLeads) => void;
  isBusy: boolean;
  reassignment: Reassignment;
}

/** How many leads a change concerns. */
export function countBulk(leads: BulkLeads): number {
  return 'ids' in leads ? leads.ids.length : leads.expected;
}

/** Changes of several leads. `onDone` removes the pressed button with the selection, so the list gets the focus. */
export function useBulk(onDone: () => void, list: RefObject<HTMLElement | null>): BulkActions {
  const toReport = ({ done, failed }: { done: (count: number) => string; failed: string }) => ({
    done: ({ changed }: { changed: number[] }) => done(changed.length),
    failed,
    onDone,
  });
  const { assign, isPending: isAssigning, reassignment } = useAssignLeads(onDone);
  const restoreChanged = useUndoDelete('bulkRestore');
  const removeChanged = useUndoDelete('bulkRemove');
  // Only the leads that the request changed: another person may have deleted or restored the others on purpose.
  const undoBy =
    ({ mutate }: typeof restoreChanged) =>
    ({ changed }: { changed: number[] }) =>
      changed.length === 0 ? null : () => mutate(changed);
  const restore = adminApi.admin.leads.bulkRestore.useMutation(
    withReport({ ...toReport(adminMessages.bulkRestore), undo: undoBy(removeChanged) }),
  );
  const remove = adminApi.admin.leads.bulkRemove.useMutation(
    withReport({ ...toReport(adminMessages.bulkRemove), undo: undoBy(restoreChanged) }),
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
          : reportSuccess(resendTexts.queued(changed.length, countBulk(leads))),
    }),
  );
  const isBusy =
    isAssigning ||
    [restoreChanged, removeChanged, restore, remove, release, retrySync, resend].some(
      ({ isPending }) => isPending,
    );
  const isWaiting = isBusy || reassignment.question !== null;
  const wasWaiting = useRef(false);
  useEffect(() => {
    const isFocusLost = document.activeElement === document.body;
    if (wasWaiting.current && !isWaiting && isFocusLost) list.current?.focus({ preventScroll: true });
    wasWaiting.current = isWaiting;
  }, [isWaiting, list]);
  return {
    assign,
    remove: (leads) => remove.mutate(leads),
    restore: (leads) => restore.mutate(leads),
    release: (leads) => release.mutate(leads),
    retrySync: (leads) => retrySync.mutate(leads),
    resendToProvider: (leads) => resend.mutate(leads),
    isBusy,
    reassignment,
  };
}

const noLeads: readonly AdminLead[] = [];

export interface BulkSelection {
  /** The selected rows of the page. */
  rows: Selection;
  /** The selected leads of the page. */
  leads: readonly AdminLead[];
  /** What is selected, also on other pages. Null: nothing. */
  chosen: BulkLeads | null;
  /** Selects all leads that the filter matches, with null too many for one change. Null: there are no others. */
  selectMatching: { total: number; start: (() => void) | null } | null;
}

/** The selected leads of the page, or all that the filter matches. */
export function useBulkSelection(
  input: ListInput,
  list: z.output<typeof leadListOutput> | undefined,
): BulkSelection {
  const shown = (list?.leads ?? noLeads).filter(({ isErased }) => !isErased);
  const rows = useSelection(shown);
  const [matching, setMatching] = useState<string | null>(null);
  const leads = shown.filter(({ id }) => rows.has(id));
  const total = list?.total ?? 0;
  const filter = toMatchingFilter(input, list?.newestId ?? null);
  const key = JSON.stringify({ filter, total });
  const isMatching = rows.isAll && matching === key;
  const isTooMany = list?.totalIsEstimate === true || total > matchingLeadsMax;
  const ids = leads.map(({ id }) => id);
  return {
    rows,
    leads,
    chosen: isMatching ? { filter, expected: total } : ids.length === 0 ? null : { ids },
    selectMatching:
      rows.isAll && !isMatching && total > leadsPageSize
        ? { total, start: isTooMany ? null : () => setMatching(key) }
        : null,
  };
}

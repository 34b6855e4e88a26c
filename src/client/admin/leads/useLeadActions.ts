import { type RefObject, useEffect, useRef } from 'react';
import type { AdminLead } from '#shared/admin/adminLeads.ts';
import { useAssignLead, useRemoveLead, useRetryEmail, useRetrySync } from './useLeadChanges.ts';
import { type ListInput } from './useLeads.ts';

export interface LeadActions {
  assign: (lead: AdminLead, providerId: number) => void;
  remove: (lead: AdminLead) => void;
  retrySync: (lead: AdminLead) => void;
  retryEmail: (lead: AdminLead) => void;
  /** The lead whose change is pending. */
  busyId: number | null;
}

/** The actions of a row's buttons. The focus stays in the list, even if the pressed button disappears. */
export function useLeadActions(
  input: ListInput,
  leads: readonly AdminLead[],
  table: RefObject<HTMLElement | null>,
): LeadActions {
  const focusOn = useRef<string | null>(null);
  const assign = useAssignLead();
  const remove = useRemoveLead(input, (id) => {
    focusOn.current = deleteButtonOf(id);
  });
  const retrySync = useRetrySync();
  const retryEmail = useRetryEmail();
  // Runs after each render until the focused button disappears. A focus outside the list stays there.
  useEffect(() => {
    if (focusOn.current === null) return;
    const active = document.activeElement;
    const isLost = active === null || active === document.body;
    const next = table.current?.querySelector<HTMLElement>(focusOn.current) ?? null;
    if (isLost ? next === null : table.current?.contains(active) === true) return;
    focusOn.current = null;
    if (isLost) next?.focus();
  });
  const busy = [assign, remove, retrySync, retryEmail].find(({ isPending }) => isPending);
  return {
    assign: (lead, providerId) => {
      focusOn.current = `[data-lead="${lead.id}"] [data-cell=provider]`;
      assign.mutate({ id: lead.id, providerId });
    },
    remove: (lead) => {
      focusOn.current = neighborOf(lead, leads);
      remove.mutate({ id: lead.id });
    },
    retrySync: ({ id }) => retrySync.mutate({ id }),
    retryEmail: ({ id }) => retryEmail.mutate({ id }),
    busyId: busy?.variables?.id ?? null,
  };
}

/** The Delete button of the row after a deleted one, or before it; else the table. */
function neighborOf(lead: AdminLead, leads: readonly AdminLead[]): string {
  const at = leads.findIndex(({ id }) => id === lead.id);
  const neighbor = leads[at + 1] ?? leads[at - 1];
  return neighbor === undefined ? '[tabindex]' : deleteButtonOf(neighbor.id);
}

function deleteButtonOf(id: number): string {
  return `[data-lead="${id}"] [data-action=delete]`;
}

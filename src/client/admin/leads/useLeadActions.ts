import { type RefObject, useEffect, useRef, useState } from 'react';
import { useStable } from '#client/admin/kit/listHooks.ts';
import type { AdminLead } from '#shared/admin/adminLeads.ts';
import { createRowFocus } from './rowFocus.ts';
import { type Reassignment, useAssignLead, useTakeAway } from './useAssignLeads.ts';
import {
  useReleaseLead,
  useRemoveLead,
  useResendToProvider,
  useRestoreLead,
  useRetryEmail,
  useRetrySync,
} from './useLeadChanges.ts';
import { type ListInput } from './useLeads.ts';

/** The same at every render. */
export interface LeadActions {
  assign: (lead: AdminLead, providerId: number) => void;
  takeAway: (lead: AdminLead) => void;
  remove: (lead: AdminLead) => void;
  restore: (lead: AdminLead) => void;
  release: (lead: AdminLead) => void;
  retrySync: (lead: AdminLead) => void;
  retryEmail: (lead: AdminLead) => void;
  resendToProvider: (lead: AdminLead) => void;
}

/** What the rows need beside their leads. */
export interface RowContext {
  now: number;
  buildHref: (id: number) => string;
  /** Null if staff may only read. */
  actions: LeadActions | null;
  /** Deleted leads can only be restored. */
  isDeleted: boolean;
}

/** The link of a row that opens its lead. */
export const nameLink = '[data-cell=contact] a';

/**
 * The actions of a row's buttons. If the pressed button disappears, the focus stays in its row or moves to the next
 * row's name, never to a button that would change another lead.
 */
export function useLeadActions(
  input: ListInput,
  leads: readonly AdminLead[],
  table: RefObject<HTMLElement | null>,
): {
  actions: LeadActions;
  /** The lead whose change is pending. */
  busyId: number | null;
  reassignment: Reassignment;
} {
  const [focus] = useState(() => createRowFocus(table));
  const assigned = useRef<readonly string[]>([]);
  const assign = useAssignLead({
    onAnswered: (isConfirmed) => {
      if (isConfirmed) focus.keepIn(assigned.current);
      else focus.returnTo(assigned.current);
    },
    onUndo: (id) => focus.moveTo(getName(id)),
  });
  const takeAway = useTakeAway();
  const remove = useRemoveLead(input, (id) => focus.moveTo(getName(id)));
  const restore = useRestoreLead();
  const release = useReleaseLead();
  const retrySync = useRetrySync();
  const retryEmail = useRetryEmail();
  const resend = useResendToProvider();
  const busy = [takeAway, remove, restore, release, retrySync, retryEmail, resend].find(
    ({ isPending }) => isPending,
  );
  const busyId = assign.busyId ?? busy?.variables?.id ?? null;
  useEffect(() => focus.update(busyId !== null));
  const actions: LeadActions = useStable({
    assign: (lead: AdminLead, providerId: number) => {
      const cell = `${toRow(lead.id)} [data-cell=provider]`;
      assigned.current = [`${cell} button:enabled`, cell, ...listNeighbors(lead, leads, buildPicker)];
      focus.keepIn(assigned.current);
      assign.assign([lead.id], providerId);
    },
    takeAway: (lead: AdminLead) => {
      focus.keepIn([getName(lead.id), ...listNeighbors(lead, leads)]);
      takeAway.mutate({ id: lead.id });
    },
    remove: (lead: AdminLead) => {
      focus.keepIn(listNeighbors(lead, leads));
      remove.mutate({ id: lead.id });
    },
    restore: (lead: AdminLead) => {
      focus.keepIn(listNeighbors(lead, leads));
      restore.mutate({ id: lead.id });
    },
    release: (lead: AdminLead) => {
      focus.keepIn([getName(lead.id), ...listNeighbors(lead, leads)]);
      release.mutate({ id: lead.id });
    },
    retrySync: ({ id }: AdminLead) => retrySync.mutate({ id }),
    retryEmail: ({ id }: AdminLead) => retryEmail.mutate({ id }),
    resendToProvider: ({ id }: AdminLead) => resend.mutate({ id }),
  });
  return { actions, busyId, reassignment: assign.reassignment };
}

function toRow(id: number): string {
  return `[data-lead="${id}"]`;
}

function getName(id: number): string {
  return `${toRow(id)} ${nameLink}`;
}

function buildPicker(id: number): string {
  return `${toRow(id)} [data-cell=provider] button`;
}

/** The name in the row after a lead, or before it; else the table or its empty state. */
function listNeighbors(
  lead: AdminLead,
  leads: readonly AdminLead[],
  preferred: (id: number) => string = getName,
): string[] {
  const at = leads.findIndex(({ id }) => id === lead.id);
  const neighbor = leads[at + 1] ?? leads[at - 1];
  return neighbor === undefined
    ? ['[tabindex]']
    : [preferred(neighbor.id), getName(neighbor.id), '[tabindex]'];
}

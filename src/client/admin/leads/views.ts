import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { viewsCopy as copy } from '#shared/admin/leadCopy.ts';
import { type WorklistCounts, worklistCountMax, worklistFilters } from '#shared/admin/worklist.ts';
import { toDay } from '#shared/formats/day.ts';
import type { LeadSearchFilter } from './leadSearch.ts';

/** The fixed filters of the leads. */
export const views: Record<keyof typeof copy.names, LeadSearchFilter> = {
  all: {},
  ...worklistFilters,
  followUp: { followUp: 'today' },
  deleted: { deleted: true },
};
export type View = keyof typeof views;

/** Beside all leads, while they have leads. */
export const inLine = ['unmatched', 'clinic', 'overdue', 'returned', 'followUp'] as const satisfies View[];
export const inMenu = [
  'crm',
  'overLimit',
  'quarantined',
  'phone',
  'mailbox',
  'replies',
  'deleted',
] as const satisfies View[];

/** How many leads each view has; "today" is that of `now`, in the viewer's zone. */
export function useWorklist(now: number) {
  return adminApi.admin.leads.worklist.useQuery({ followUpBy: toDay(now) });
}

/** Null if it isn't counted. */
export function countText(counts: WorklistCounts | undefined, view: Exclude<View, 'all'>): string | null {
  if (counts === undefined || view === 'deleted') return null;
  return copy.count(counts[view], worklistCountMax);
}

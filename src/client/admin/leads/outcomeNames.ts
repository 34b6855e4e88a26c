import type { LeadFilter } from '#shared/admin/adminLeads.ts';
import { leadFilterCopy, leadOutcomeNames } from '#shared/admin/leadCopy.ts';

/** An outcome as a filter names it. */
export function outcomeFilterName(outcome: NonNullable<LeadFilter['outcome']>): string {
  return outcome === 'none' ? leadFilterCopy.noOutcome : leadOutcomeNames[outcome];
}

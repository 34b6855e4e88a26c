import type { LeadFilter } from '#shared/admin/adminLeads.ts';
import { leadFilterCopy } from '#shared/admin/leadCopy.ts';
import { leadOutcomeNames } from '#shared/leads/leadOutcomes.ts';

/** An outcome as a filter names it. */
export function outcomeFilterName(outcome: NonNullable<LeadFilter['outcome']>): string {
  return outcome === 'none' ? leadFilterCopy.noOutcome : leadOutcomeNames[outcome];
}

import type { LeadFilter } from '#shared/adminLeads.ts';
import { leadFilterWords, leadOutcomeNames } from '#shared/adminLeadWords.ts';

/** An outcome as a filter names it. */
export function outcomeFilterName(outcome: NonNullable<LeadFilter['outcome']>): string {
  return outcome === 'none' ? leadFilterWords.noOutcome : leadOutcomeNames[outcome];
}

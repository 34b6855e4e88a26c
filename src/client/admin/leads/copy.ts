import type { CorrectableField } from '#shared/leads/correction.ts';
import type { AdminLead, LeadFilter } from '#shared/admin/adminLeads.ts';
import { leadFilterCopy } from '#shared/admin/leadCopy.ts';
import { leadOutcomeNames } from '#shared/leads/leadOutcomes.ts';

/** Texts of what staff change about a lead's provider and details. */
export const takeAwayCopy = {
  action: 'Take away from provider',
  hint: 'Back to Unmatched. What wasn’t sent to the provider is canceled.',
  done: 'Lead taken away from its provider',
  /** The email can't be recalled, and the provider isn't notified. */
  doneSent: 'Lead taken away from its provider, which already has its email',
  undone: 'Lead given back to its provider',
  failed: 'Failed to take the lead away',
} as const;

export const correctionCopy = {
  action: 'Correct',
  actionOf: (field: string) => `Correct: ${field}`,
  titles: {
    email: 'Correct the email address',
    phone: 'Correct the phone number',
    zip_code: 'Correct the ZIP code',
  } satisfies Record<CorrectableField, string>,
  labels: {
    email: 'New email address',
    phone: 'New phone number',
    zip_code: 'New ZIP code',
  } satisfies Record<CorrectableField, string>,
  /** What a correction causes. */
  notes: {
    email:
      'A provider that has the lead gets the new address. To write to the person again, use Resend Email.',
    phone: 'A provider that has the lead gets the new number.',
    zip_code:
      'If its provider doesn’t have the lead yet, it is matched again. Otherwise the provider gets the new ZIP code.',
  } satisfies Record<CorrectableField, string>,
  kept: (value: string) => `The history keeps “${value}”.`,
  done: 'Lead corrected',
} as const;

export function leadName({ first_name: first, last_name: last }: AdminLead): string {
  return `${first} ${last}`;
}

/** An outcome as a filter names it. */
export function outcomeFilterName(outcome: NonNullable<LeadFilter['outcome']>): string {
  if (outcome === 'overdue') return leadFilterCopy.overdue;
  if (outcome === 'contacted') return leadFilterCopy.contacted;
  return outcome === 'none' ? leadFilterCopy.noOutcome : leadOutcomeNames[outcome];
}

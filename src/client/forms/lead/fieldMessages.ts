import { type LeadFieldOrConsent, leadFields } from '#shared/leads/leadFieldList.ts';

/** Messages by field. */
export type LeadFieldErrors = Partial<Record<LeadFieldOrConsent, string>>;

/** As they are shown. */
export const fieldsInOrder = [...leadFields, 'acceptance_consent'] as const;

/** The field to focus when several are wrong. */
export function firstWrongField(errors: LeadFieldErrors): (typeof fieldsInOrder)[number] | null {
  return fieldsInOrder.find((field) => errors[field] !== undefined) ?? null;
}

/** A server's messages by field, only those of fields this form shows. */
export function knownFieldErrors(fields: Record<string, unknown>): LeadFieldErrors {
  const errors: LeadFieldErrors = {};
  for (const field of fieldsInOrder) {
    const message = fields[field];
    if (typeof message === 'string') errors[field] = message;
  }
  return errors;
}

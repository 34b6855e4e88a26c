import type { FormState } from '#shared/pages/boot.ts';
import { leadFields } from '#shared/leads/leadFieldList.ts';

/**
 * What a failed plain post draws back. A two-step form posted its ZIP alone if scripts hadn't arrived when the first step was left: then
 * the second step is drawn, and nobody is told off for fields not seen before.
 */
export function shownState(posted: FormState | null): FormState | null {
  if (posted === null) return null;
  const typed = leadFields.filter((field) => (posted.values[field] ?? '').trim() !== '');
  return typed.length === 1 && typed[0] === 'zip_code' ? { ...posted, errors: {}, message: '' } : posted;
}

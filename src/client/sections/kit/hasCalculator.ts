import { calculatorClaims } from '#shared/brand/calls.ts';
import type { HiddenClaim } from '#shared/claims/claim.ts';

/** Whether pages have the calculator: not while a claim that it computes with is hidden. */
export function hasCalculator(hidden: readonly HiddenClaim[]): boolean {
  return hidden.every(({ id }) => calculatorClaims.every((claim) => claim !== id));
}

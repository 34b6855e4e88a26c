import type { ClaimId } from './claims.ts';

/** Texts that several pages share. */

export const callToAction = {
  start: 'Get Started Today!',
  claim: 'Claim Your FREE Consult Now!',
  qualify: 'Find Out If You Qualify!',
} as const;

/** On the page for prospective providers and in its header. */
export const applyLabel = 'Apply Now';

/** Beside a provider's contacts. */
export const websiteLabel = 'Visit Website';

/** Ends a sentence that states a claim. Pages render it as a link to what is known about the claim's study. */
export function mark(claim: ClaimId): string {
  return `¹[${claim}]`;
}

/** The note of a page with study claims. */
export const studyNote = {
  mark: '1',
  markLabel: 'Study note',
  text: 'Clinical study of the protocol. Figures are its participants’ averages and reports after six months. Individual results vary; this is not medical advice.',
  more: 'How it was measured',
} as const;

/** The calculator adds these to a visitor's numbers: a page that hides one of them has no calculator. */
export const calculatorClaims: readonly ClaimId[] = [
  'clinical-study',
  'six-months',
  'average-gain-length',
  'average-gain-girth',
];

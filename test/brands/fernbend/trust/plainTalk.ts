import type { ClaimId } from '#shared/brand/claims.ts';

/** A brand that says what can go wrong, and not yet what it costs or who shouldn't. */
export const plainTalk = {
  title: 'Before you decide',
  parts: [
    { key: 'cost', title: 'The price', text: '' },
    { key: 'risks', title: 'The risks', text: 'A knee may swell for a day after the first visit.' },
    { key: 'notFor', title: 'Better not', text: '' },
  ],
} as const satisfies {
  title: string;
  parts: readonly { key: 'cost' | 'risks' | 'notFor'; title: string; text: string }[];
};

/** The claim beside which `risks` must be. */
export const sideEffectsClaim: ClaimId = 'no-adverse-effects';

/** The form to report a problem. */
export const problemTexts = {
  title: 'Tell us what is wrong',
  lead: 'We read it all.',
  labels: {
    what: 'What is wrong?',
    claim: 'Which of our sentences? (optional)',
    contact: 'How we reach you (optional)',
  },
  noClaim: 'None of them',
  submit: 'Send it',
  received: 'We have it. Thank you.',
} as const;

import { callToAction } from './calls.ts';

/** The texts of a provider's microsite, without the provider's own. */

/** A claim, with its id in the registry (claims.ts). */
export interface Benefit {
  text: string;
  claim: string;
}

export const microsite = {
  headline: 'More bend for stiff knees, by practice',
  benefits: [
    { text: 'Examined in a knee study', claim: 'knee-study' },
    { text: 'No operation', claim: 'no-operation' },
    { text: 'Taught by physical therapists', claim: 'therapist-taught' },
  ] satisfies Benefit[],
  limitedSpots: 'A few appointments left',
  formHeading: { freeConsultation: 'Your free first look:', qualify: 'Ask about your knees:' },
  /** The provider's name is between the two. */
  formText: { before: 'With this form you reach', after: 'and hear whether the protocol suits your knees.' },
  submit: { freeConsultation: 'Ask for a free first look', qualify: callToAction.qualify },
  /** Replaces the landing page's text, because not every provider's consultation is free. */
  firstStep: {
    title: { freeConsultation: 'A free first look', qualify: 'A first look' },
    text: 'Leave your number. The clinic calls, listens, and looks at how your knee moves.',
  },
  stepsCall: { freeConsultation: callToAction.claim, qualify: callToAction.qualify },
  /** The answer to the last question of the FAQ. */
  startAnswer: ['Leave your number in the form on this page. The clinic calls you about a first look.'],
  talk: 'Would you rather call?',
  contact: {
    id: 'contact',
    eyebrow: 'Your clinic',
    lead: 'An independent clinic. Appointments and fees are between you and the clinic.',
  },
} as const;

export const paymentPlans = {
  id: 'payment-plans',
  eyebrow: 'By the month',
  title: 'Pay as you practise',
  from: 'From',
  price: '$60/month',
  terms: ['No interest', 'Cancel at any month’s end'],
  partnersLabel: 'Who lends',
  action: 'Ask for a first look',
  note: 'Ask your clinic what applies to you',
} as const;

import { brand } from './brand.ts';
import { callToAction } from './calls.ts';
import type { ClaimId } from './claims.ts';

/** The texts of a provider's microsite. */

/** A claim, with its id in the registry (claims.ts). */
export interface Benefit {
  text: string;
  claim: ClaimId;
}

export const microsite = {
  headline: 'Natural male enhancement, without surgery',
  benefits: [
    { text: 'Clinically Proven Results', claim: 'clinical-study' },
    { text: 'No Surgery No Side Effects', claim: 'no-adverse-effects' },
    { text: 'Urologist Recommended', claim: 'urologist-recommended' },
  ] satisfies Benefit[],
  limitedSpots: 'Limited Spots Available',
  formHeading: {
    freeConsultation: 'Secure My FREE Consultation Now:',
    qualify: 'Find Out If You Qualify Now:',
  },
  /** The provider's name is between the two. */
  formText: { before: 'Submit the form to connect with', after: 'and find out if you qualify.' },
  submit: { freeConsultation: 'Secure My FREE Consultation', qualify: callToAction.qualify },
  /** Replaces the landing page's text, because not every provider's consultation is free. */
  firstStep: {
    title: { freeConsultation: 'Free Consultation', qualify: 'Consultation' },
    text: 'Leave your contact details. The clinic calls you, answers your questions and explains whether you qualify.',
  },
  stepsCall: { freeConsultation: callToAction.claim, qualify: callToAction.qualify },
  /** The answer to the last question of the FAQ. */
  startAnswer: [
    'Leave your contact details in the form on this page. The clinic contacts you to arrange your consultation.',
    'There is no obligation, and nothing to pay on this site.',
  ],
  /** The bar on phones. */
  call: 'Call',
  request: 'Request consultation',
  /** Before the ZIP code of a provider without an address. */
  zip: 'ZIP',
  contact: {
    id: 'contact',
    eyebrow: 'The clinic',
    title: 'Visit and contact',
    lead: 'An independent, certified provider. Consultation, treatment and fees are between you and the clinic.',
  },
} as const;

/** The texts of what a provider says of itself. Each is shown only with its content. */
export const clinicDetails = {
  hours: 'Hours',
  team: 'Team and credentials',
  /** In its place, if nothing of the team is known. */
  certification: 'Certification',
  clinician: 'Clinician',
  npi: 'NPI',
  certifiedSince: 'Certified since',
  languages: 'Languages',
  certified: {
    label: `Certified by ${brand.plainName}: what that means`,
    text: `Certified means that the provider has completed ${brand.plainName}’s own training: a one-day virtual course and a hands-on workshop. It is neither a medical license nor a board certification; states and boards give those. The clinic is independent and treats its patients under its own license.`,
  },
  about: 'About the clinic',
  picture: 'Picture of the clinic',
  book: 'Book online',
  openMap: 'Open the map',
} as const;

/** The public registry of clinicians. The number is appended. */
export const npiAddress = 'https://npiregistry.cms.hhs.gov/provider-view/';

export const paymentPlans = {
  /** The section isn't shown while this is hidden. */
  claim: 'payment-plans' satisfies ClaimId,
  id: 'payment-plans',
  eyebrow: 'Payment plans',
  title: 'Spread the cost, interest-free',
  from: 'Plans from',
  price: '$199/month',
  terms: ['0% APR on approved credit', 'No hard credit check', 'Instant approval'],
  partnersLabel: 'Financing partners',
  action: 'Schedule Free Consultation',
  note: 'No obligation, Free consultation, Find out if you qualify',
} as const;

import type { LeadField } from '../leadFields.ts';

/** Every word of the lead form but the consent text itself, which is fixed (consentTexts.ts). */
export const leadFormTexts = {
  labels: {
    first_name: 'First name',
    last_name: 'Last name',
    email: 'Email',
    phone: 'Phone number',
    zip_code: 'ZIP code',
  } satisfies Record<LeadField, string>,
  submit: 'Claim Your FREE Consult Now!',
  submitting: 'Wait! Submitting...',
  tryAgain: 'Try again',
  failureTitle: 'Error',
  failure: 'Failed to submit form. Please try again later.',
  offline:
    'We could not reach the server. Check your connection; everything you typed is still here, and trying again will not send it twice.',
  /** Beside the button. */
  privacyLine: 'Private. Used only to connect you with a provider.',
  newTab: 'opens in a new tab',
} as const;

/**
 * Shown below the form, in addition to the fixed consent text; a licensee's counsel may change it. The strict form of the telephone
 * consumer rules (47 CFR 64.1200(f)(9)): who may call and how, no condition of purchase, rates, how to stop. `null` shows none.
 */
export const leadDisclosure: { text: string; termsLabel: string; privacyLabel: string } | null = {
  text: 'By checking the box you agree that the provider you are matched with may contact you at the number and email above, also with an autodialer or a prerecorded voice. Consent is not a condition of purchase. Message and data rates may apply. Reply STOP to opt out or HELP for help.',
  termsLabel: 'Terms',
  privacyLabel: 'Privacy policy',
};

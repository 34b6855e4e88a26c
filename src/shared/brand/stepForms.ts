import type { StepFormKey, StepCopy, ToastCopy } from '#shared/pages/brandContent.ts';
import { formCopy } from './leadForm.ts';
import { leadMessages } from './leadMessages.ts';

const consentToast: ToastCopy = { title: 'Consent Required', description: leadMessages.consentRequired };

/** The position in a two-step form. */
export const stepCounts = { zip: '1 of 2', details: '2 of 2' } as const;

export const stepForms: Record<StepFormKey, StepCopy> = {
  quiz: {
    ...formCopy,
    submit: 'Find Out If You Qualify!',
    consentToast,
    zip: {
      heading: "What's your zip code?",
      hint: 'We use it to look for the provider nearest to you.',
      next: 'Continue',
    },
    zipToast: { title: 'Invalid Zip Code', description: 'Please enter a valid 5-digit zip code' },
    details: { heading: 'Tell us about you:', back: 'Back' },
  },
  find: {
    submit: 'Find My Provider',
    submitting: 'Submitting...',
    failureTitle: 'Something went wrong',
    failure: 'Please try again later.',
    showsErrorMessage: false,
    consentToast,
    zip: {
      heading: 'Where Are You Located?',
      hint: 'Just five digits. We don’t need your address.',
      next: 'Find Providers',
    },
    zipToast: { title: 'ZIP Code Required', description: 'Please enter your ZIP code to continue.' },
    details: { heading: 'Complete Your Information', back: null },
  },
};

function countMiles(miles: number): string {
  return `${miles.toLocaleString('en-US')} ${miles === 1 ? 'mile' : 'miles'}`;
}

/** The box that names the provider for the ZIP, and its reminder beside the consent box. */
export const matchPreviewTexts = {
  /** Before there is a ZIP. */
  prompt: 'Enter your ZIP code to see the provider near you.',
  asking: (zip: string) => `Looking for the provider nearest to ${zip}…`,
  /** The provider's name follows. */
  found: (zip: string) => `Your provider near ${zip}:`,
  distance: (miles: number) => (miles === 0 ? 'less than a mile away' : `about ${countMiles(miles)} away`),
  /** The ends of the span from the visitor to the provider. */
  you: 'You',
  miles: (miles: number) => (miles === 0 ? 'less than a mile' : countMiles(miles)),
  certified: 'Certified',
  none: (zip: string) => `No certified provider near ${zip} yet: our team will search for one in your area.`,
  /** Of a text that is no ZIP code. It promises no search: nobody knows where. */
  unplaced: (text: string) =>
    `We can’t place “${text}”. Add your ZIP so that we can find a provider near you.`,
  /** The nearest provider beyond reach follows. */
  closest: 'Closest today:',
  /** The preview failed. Sending the form answers the question. */
  unknown: (zip: string) => `Our team looks for the provider nearest to ${zip}.`,
  /** Returns to the ZIP. */
  change: (zip: string) => `${zip}, change`,
  /** Beside the consent box if no provider is named. */
  reminder: (zip: string) => `Our team will search for a provider near ${zip}.`,
} as const;

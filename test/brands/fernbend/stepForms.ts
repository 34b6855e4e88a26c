import type { StepFormKey, StepCopy, ToastCopy } from '#shared/pages/brandContent.ts';
import { formCopy } from './leadForm.ts';
import { leadMessages } from './leadMessages.ts';

const consentToast: ToastCopy = { title: 'Consent Required', description: leadMessages.consentRequired };

/** The position in a two-step form. */
export const stepCounts = { zip: '1 of 2', details: '2 of 2' } as const;

export const stepForms: Record<StepFormKey, StepCopy> = {
  quiz: {
    ...formCopy,
    submit: 'Ask a knee clinic',
    consentToast,
    zip: {
      heading: 'Where do you live?',
      hint: 'Your ZIP code finds the nearest clinic.',
      next: 'Continue',
    },
    zipToast: { title: 'Invalid Zip Code', description: 'Please enter a valid 5-digit zip code' },
    details: { heading: 'Who should the clinic call?', back: 'Back' },
  },
  find: {
    submit: 'Find my clinic',
    submitting: 'On its way...',
    failureTitle: 'Something went wrong',
    failure: 'Please try again later.',
    showsErrorMessage: false,
    consentToast,
    zip: {
      heading: 'Your ZIP code, please',
      hint: 'Five digits will do.',
      next: 'Look for clinics',
    },
    zipToast: { title: 'ZIP Code Required', description: 'Please enter your ZIP code to continue.' },
    details: { heading: 'And your name?', back: null },
  },
};

/** The box that names the provider for the ZIP, and its reminder beside the consent box. */
export const matchPreviewTexts = {
  /** Before there is a ZIP. */
  prompt: 'Your ZIP code shows you the nearest knee clinic.',
  asking: (zip: string) => `Looking for knee clinics near ${zip}…`,
  /** The provider's name follows. */
  found: (zip: string) => `Your knee clinic near ${zip}:`,
  distance: (miles: number) =>
    miles === 0
      ? 'less than a mile away'
      : `about ${miles.toLocaleString('en-US')} ${miles === 1 ? 'mile' : 'miles'} away`,
  certified: 'Trained by us',
  none: (zip: string) => `No knee clinic near ${zip} yet: we look for one.`,
  /** Of a text that is no ZIP code. It promises no search: nobody knows where. */
  unplaced: (text: string) =>
    `We can’t place “${text}”. Add your ZIP so that we can find a provider near you.`,
  /** The nearest provider beyond reach follows. */
  closest: 'The nearest one so far:',
  /** The preview failed. Sending the form answers the question. */
  unknown: (zip: string) => `We look for the knee clinic nearest to ${zip}.`,
  /** Returns to the ZIP. */
  change: (zip: string) => `Not ${zip}?`,
  /** Beside the consent box if no provider is named. */
  reminder: (zip: string) => `We will look for a knee clinic near ${zip}.`,
} as const;

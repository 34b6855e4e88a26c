import type { StepFormKey, StepCopy, ToastCopy } from '#shared/pages/brandContent.ts';
import { formCopy } from './leadForm.ts';
import { leadMessages } from './leadMessages.ts';
import { invalidZip } from './matchPreview.ts';

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
    zipToast: { title: 'Invalid Zip Code', description: invalidZip },
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

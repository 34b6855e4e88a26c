import type { ToastWords } from './leadForm.ts';

/** The forms that ask for the ZIP first. */
export type StepFormKey = 'quiz' | 'find';

export interface StepWords {
  zip: { heading: string; hint: string; next: string };
  /** A ZIP that doesn't lead on. */
  zipToast: ToastWords;
  details: {
    heading: string;
    /** The way back inside the page; null where there is none. */
    back: string | null;
  };
}

/** Where in a form of two steps one is. */
export const stepCounts = { zip: '1 of 2', details: '2 of 2' } as const;

export const stepForms: Record<StepFormKey, StepWords> = {
  quiz: {
    zip: {
      heading: "What's your zip code?",
      hint: 'We use it to look for the provider nearest to you.',
      next: 'Continue',
    },
    zipToast: { title: 'Invalid Zip Code', description: 'Please enter a valid 5-digit zip code' },
    details: { heading: 'Tell us about you:', back: 'Back' },
  },
  find: {
    zip: {
      heading: 'Where Are You Located?',
      hint: 'Five digits are enough; we ask for no address.',
      next: 'Find Providers',
    },
    zipToast: { title: 'ZIP Code Required', description: 'Please enter your ZIP code to continue.' },
    details: { heading: 'Complete Your Information', back: null },
  },
};

import type { ApplicationField } from '#shared/applications/applicationFields.ts';
import { brand } from './brand.ts';

/**
 * The consent text of an application. Never edit one that has been displayed: raise its version with the change, so
 * that every stored application still names the exact text.
 */
export const applicationConsent = {
  version: 3,
  text: `${brand.plainName} may call, write or text me about my clinic. A text with STOP ends it.`,
} as const;

/** Within how many hours `applied.text` promises an answer. Staff are reminded after half of them. */
export const applicationAnswerHours = 120;

/** The other texts of the application. */
export const applicationTexts = {
  labels: {
    practice_name: 'Practice name',
    contact_name: 'Your name',
    role: 'Role or credential',
    email: 'Email',
    phone: 'Phone number',
    zip_code: 'Practice ZIP code',
    website: 'Website (optional)',
    message: 'Message (optional)',
  } satisfies Record<ApplicationField, string>,
  hints: {
    role: 'For example owner or therapist',
    message: 'What you would like to know',
  } satisfies Partial<Record<ApplicationField, string>>,
  submit: 'Send it to us',
  submitting: 'On its way...',
  tryAgain: 'Try again',
  failureTitle: 'Error',
  failure: 'Failed to submit form. Please try again later.',
  offline:
    'We couldn’t reach the server. Check your connection and try again. What you typed is still here, and it won’t be sent twice.',
  /** Beside the button. */
  privacyLine: 'Read by us alone.',
  applied: {
    title: 'We have your letter',
    text: 'Thank you. You hear from us within five days.',
    nextTitle: 'From here',
    next: ['We read what you wrote.', 'We call you.', 'You choose two half days for the training.'],
    again: 'Write again',
  },
} as const;

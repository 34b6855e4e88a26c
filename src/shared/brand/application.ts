import type { ApplicationField } from '../applications/applicationFields.ts';
import { brand } from './brand.ts';

/** Never edit a consent text that was displayed: raise its version, so stored applications name the exact text. */
export const applicationConsent = {
  version: 1,
  text: `I agree that ${brand.plainName} may contact me by phone, email or text about this application. Reply STOP to opt out.`,
} as const;

/** Within how many hours `applied.text` promises an answer. Staff are reminded after half of them. */
export const applicationAnswerHours = 48;

/** How long the link works by which a new provider confirms its email address. */
export const confirmAddressDays = 14;

/** The page behind that link. */
export const confirmAddress = {
  windowTitle: 'Confirm your address',
  ask: {
    title: 'Do you read this address?',
    text: `${brand.plainName} will send people who ask for a provider near you to the address at which you got the link.`,
    action: 'Confirm my address',
  },
  done: {
    title: 'Your address is confirmed',
    text: 'Thank you. We contact you about the next steps.',
  },
  unknown: {
    title: 'This link doesn’t work',
    text: 'It is too old, part of it is missing, or your address changed since. Email us and we’ll send you a new one.',
  },
  failed: { title: 'Something went wrong', text: 'Please open the link again in a minute, or email us.' },
} as const;

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
    role: 'For example: owner, MD, NP, practice manager',
    message: 'Your specialty, your questions, the best time to call',
  } satisfies Partial<Record<ApplicationField, string>>,
  submit: 'Send My Application',
  submitting: 'Submitting...',
  tryAgain: 'Try again',
  failureTitle: 'Error',
  failure: 'Failed to submit form. Please try again later.',
  offline:
    'We couldn’t reach the server. Check your connection and try again. What you typed is still here, and it won’t be sent twice.',
  /** Beside the button. */
  privacyLine: 'Used only for your application. Never shown publicly.',
  applied: {
    /** Before the title on a page whose tab sent none: a bookmark, or a form without scripts. */
    ifSent: 'Sent an application?',
    title: 'Your application is in',
    text: 'Thank you. We review every application within 24-48 hours and contact you by phone or email with our decision and the next steps.',
    nextTitle: 'What happens next',
    next: [
      'We review your application and the area around your practice.',
      'We contact you with our decision and answer your questions.',
      'You choose a date for the one-day virtual training and the hands-on workshop.',
    ],
    again: 'Send another application',
  },
  /** Which the applicant gets by email. */
  receipt: {
    number: (id: number) => `Your application number is #${id}.`,
    sent: (email: string) => `We’re emailing a receipt to ${email}.`,
    /** If the browser doesn't know the address. */
    unknown: 'We’re emailing you a receipt with its number.',
    missing: (contact: string) => `If it doesn’t arrive, write to ${contact}.`,
  },
} as const;

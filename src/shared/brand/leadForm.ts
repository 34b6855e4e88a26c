import type { FormCopy } from '#shared/pages/brandContent.ts';
import type { LeadField } from '#shared/leads/leadFieldTable.ts';
import type { CallerTimes } from '#shared/leads/matching.ts';
import { openingTexts } from '#shared/formats/openingTexts.ts';

/** The texts of the lead forms, without the consent texts (consentTexts.ts). */
export const leadFormTexts = {
  labels: {
    first_name: 'First name',
    last_name: 'Last name',
    email: 'Email',
    phone: 'Phone number',
    zip_code: 'ZIP code',
  } satisfies Record<LeadField, string>,
  /** Below the label on a provider's site, which needs no ZIP code to find itself. */
  zipReason: 'So that the clinic knows how far you would travel.',
  /** Beside the label of a text that nobody has to fill in. */
  optional: '(optional)',
  /** The answers to a yes/no question. */
  yesNo: { yes: 'Yes', no: 'No' },
  tryAgain: 'Try again',
  /** No response arrived. */
  offline:
    'We couldn’t reach the server. Check your connection and try again. What you typed is still here, and it won’t be sent twice.',
  /** The browser reports it. */
  offlineNow: 'You are offline. Everything you typed stays here; send it once you are connected again.',
  slow: 'This is taking longer than usual. Please keep this page open; nothing you typed is lost.',
  /** Above the consent, and no part of it. Empty: not shown. */
  ageLine: 'For adults 18 and over.',
  /** Beside the consent, after the provider's name. Hours and local time only if they are known. */
  caller: ({ opening, clock }: CallerTimes) => {
    const calls = 'It gets your request at once and calls you under its own name';
    if (opening === null) return clock === null ? `${calls}.` : `${calls}. Its local time is ${clock}.`;
    const local = opening.until === null ? '' : ' local time';
    return `${calls}, during its office hours. ${openingTexts.until(opening)}${local}.`;
  },
  /** Beside a mistyped email address. */
  didYouMean: (email: string) => `Did you mean ${email}?`,
  /** Beside the button. */
  privacyLine: 'Private. Used only to connect you with a provider.',
  /** After a lead of the same day. The provider may be unknown. */
  alreadySent: (provider: string | null) =>
    `You already sent a request${provider === null ? '' : ` to ${provider}`} today. You can send another one.`,
  newTab: 'opens in a new tab',
  /** The label of a field that people never see, in a browser without styles. */
  honeypot: 'Leave this field empty',
} as const;

/** For the landing page, its variant and a microsite. The two-step forms have their own (stepForms.ts). */
export const formCopy: FormCopy = {
  submit: 'Claim Your FREE Consult Now!',
  submitting: 'Wait! Submitting...',
  failureTitle: 'Error',
  failure: 'Failed to submit form. Please try again later.',
  showsErrorMessage: true,
  consentToast: null,
};

interface LeadDisclosure {
  /** `provider` is the name of the provider whose site this is, or `matched`. */
  text: (provider: string) => string;
  matched: string;
  termsLabel: string;
  privacyLabel: string;
}

/**
 * Shown below the form, in addition to the consent text. A licensee's counsel may change it. It follows the strict form
 * of the telephone consumer rules (47 CFR 64.1200(f)(9)): who may call and how, no condition of purchase, rates, how to
 * stop. `null` shows none.
 */
export const leadDisclosure: LeadDisclosure | null = {
  text: (provider) =>
    `By checking the box you agree that ${provider} may contact you at the number and email above, including with an autodialer or prerecorded voice. Consent is not a condition of purchase. Message and data rates may apply. Reply STOP to opt out or HELP for help.`,
  matched: 'the provider you are matched with',
  termsLabel: 'Terms',
  privacyLabel: 'Privacy policy',
};

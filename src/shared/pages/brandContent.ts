export interface ToastCopy {
  title: string;
  description: string;
}

/** The texts in which forms differ. */
export interface FormCopy {
  submit: string;
  submitting: string;
  failureTitle: string;
  /** Shown if there is no other message. */
  failure: string;
  /** Whether a failure without a sentence from the server shows the error's own message, such as `502: Bad Gateway`. */
  showsErrorMessage: boolean;
  /** Shown in addition to the message under an unchecked box. Null shows only that message. */
  consentToast: ToastCopy | null;
}

/** The forms that ask for the ZIP first. */
export type StepFormKey = 'quiz' | 'find';

export interface StepCopy extends FormCopy {
  zip: { heading: string; hint: string; next: string };
  /** Shown for a ZIP that is not accepted. */
  zipToast: ToastCopy;
  details: {
    heading: string;
    /** The label of the back button. Null hides it. */
    back: string | null;
  };
}

/** A partner's logo and name. A licensee needs the partner's permission. Hidden while either is null. */
export interface PartnerEntry {
  id: string;
  name: string | null;
  /** Same-origin path, https URL or inline image. */
  logoUrl: string | null;
}

export interface Testimonial {
  quote: string;
  author: string;
  /** The author's role, with the permission to quote. */
  role: string;
}

export interface ExplainerVideo {
  /** The player's page, framed on request. Only then does the content security policy allow its host. */
  url: string;
  /** Same-origin path or inline image. Null shows a drawing. */
  poster: string | null;
  title: string;
}

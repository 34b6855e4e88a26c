export interface ToastCopy {
  title: string;
  description: string;
}

/** What differs from form to form. */
export interface FormCopy {
  submit: string;
  submitting: string;
  failureTitle: string;
  /** Where the server gave no sentence of its own. */
  failure: string;
  /** Said besides the message under the box when it isn't ticked; null where that message is enough. */
  consentToast: ToastCopy | null;
}

/** The forms that ask for the ZIP first. */
export type StepFormKey = 'quiz' | 'find';

export interface StepCopy extends FormCopy {
  zip: { heading: string; hint: string; next: string };
  /** A ZIP that doesn't lead on. */
  zipToast: ToastCopy;
  details: {
    heading: string;
    /** The way back inside the page; null where there is none. */
    back: string | null;
  };
}

/** A picture and name of somebody else's, which only a licensee with their permission can fill in. Hidden while either is null. */
export interface PartnerEntry {
  id: string;
  name: string | null;
  /** Same-origin path, https address or inline image. */
  logoUrl: string | null;
}

export interface Testimonial {
  quote: string;
  author: string;
  /** What the author is, and the permission to quote. */
  role: string;
}

export interface ExplainerVideo {
  /** The player's page, framed once somebody asks for it; its host alone is then allowed in the content security policy. */
  url: string;
  /** Same-origin path or inline picture; null draws one. */
  poster: string | null;
  title: string;
}

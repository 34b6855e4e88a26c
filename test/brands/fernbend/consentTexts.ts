import type { FormKey } from '#shared/leads/leadForms.ts';

export type ConsentChannel = 'call' | 'email' | 'sms';

/**
 * A consent text. Never edit one that has been displayed: add the next version and move the form to it, so that every
 * stored consent still names the exact text.
 */
export interface ConsentText {
  /** The same for all versions: a form may have shown any earlier one. */
  id: string;
  version: number;
  text: string;
  /** The channels that the text allows. */
  channels: readonly ConsentChannel[];
  /** What for, in a few words for the evidence. */
  purpose: string;
  /** The forms that show it now. Empty for a retired version. */
  forms: readonly FormKey[];
}

export const consentTexts: readonly ConsentText[] = [
  {
    id: 'knee-clinic-contact',
    version: 1,
    text: 'A clinic may call me about Fernbend™.',
    channels: ['call'],
    purpose: 'Contact by a clinic about Fernbend™',
    forms: [],
  },
  {
    id: 'knee-clinic-contact',
    version: 2,
    text: 'A clinic that teaches Fernbend™ may call, write or text me about my knees. A text with STOP ends it.',
    channels: ['call', 'email', 'sms'],
    purpose: 'Contact by a clinic about Fernbend™',
    forms: ['landing', 'microsite', 'quiz'],
  },
  {
    id: 'knee-news',
    version: 4,
    text: 'Fernbend may write to me about knee mobility and the clinics near me.',
    channels: ['email'],
    purpose: 'News about knee mobility and nearby clinics',
    forms: ['find'],
  },
];

/** The text beside a form's consent box. Null for API leads, whose text is unknown. */
export function getConsentText(form: FormKey): ConsentText | null {
  return consentTexts.find(({ forms }) => forms.includes(form)) ?? null;
}

import type { FormKey } from '../leads/leadForms.ts';

export type ConsentChannel = 'call' | 'email' | 'sms';

/** Never edit a text that was displayed: add the next version, so that stored consents name the exact text. */
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
    id: 'provider-contact',
    version: 1,
    text: 'I consent to calls, emails, or texts about P-Long® from a provider. Reply STOP to opt out.',
    channels: ['call', 'email', 'sms'],
    purpose: 'Contact by a provider about P-Long® treatment',
    forms: ['landing', 'microsite', 'quiz'],
  },
  {
    id: 'treatment-communications',
    version: 1,
    text: 'I agree to receive communications about P-Long treatment and related services.',
    // It names no channel, so it covers only the least intrusive one.
    channels: ['email'],
    purpose: 'Information about P-Long treatment and related services',
    forms: ['find'],
  },
];

/** The text beside a form's consent box. Null for API leads, whose text is unknown. */
export function getConsentText(form: FormKey): ConsentText | null {
  return consentTexts.find(({ forms }) => forms.includes(form)) ?? null;
}

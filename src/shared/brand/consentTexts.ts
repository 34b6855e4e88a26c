import type { FormKey } from '../leads/leads.ts';

export type ConsentChannel = 'call' | 'email' | 'sms';

/**
 * A sentence people agree to. Never edit one that has been shown: add the next version and move the form to it, so that every stored
 * consent still names the exact words it was given to.
 */
export interface ConsentText {
  id: string;
  version: number;
  text: string;
  /** What the words themselves allow. */
  channels: readonly ConsentChannel[];
  /** The forms that show it now; empty for a retired version. */
  forms: readonly FormKey[];
}

export const consentTexts: readonly ConsentText[] = [
  {
    id: 'provider-contact',
    version: 1,
    text: 'I consent to calls, emails, or texts about P-Long® from a provider. Reply STOP to opt out.',
    channels: ['call', 'email', 'sms'],
    forms: ['landing', 'microsite', 'quiz'],
  },
  {
    id: 'treatment-communications',
    version: 1,
    text: 'I agree to receive communications about P-Long treatment and related services.',
    // It names no channel, so only the least intrusive one is taken from it.
    channels: ['email'],
    forms: ['find'],
  },
];

/** The sentence a form shows beside its consent box; null for a script's leads, whose words we can't know. */
export function consentTextOf(form: FormKey): ConsentText | null {
  return consentTexts.find(({ forms }) => forms.includes(form)) ?? null;
}

import type { ClaimId } from '../claims.ts';

/**
 * Plain talk beside the forms. Each text is optional: an empty one isn't shown, and `npm run doctor` lists it. `risks`
 * belongs beside a claim that there are no side effects.
 */
export const plainTalk = {
  title: 'What it costs, what can go wrong, who shouldn’t',
  parts: [
    {
      key: 'cost',
      title: 'What it costs',
      text: 'Your provider sets the fees, and you pay the provider. Ask for the price before you decide.',
    },
    {
      key: 'risks',
      title: 'What can go wrong',
      text: 'It may not work for you: no one can promise a result. Vacuum devices can bruise or numb; injections can bruise, hurt or infect. Ask your provider which risks apply to you.',
    },
    {
      key: 'notFor',
      title: 'Who shouldn’t',
      text: 'Nobody under 18, and nobody whom a provider advises against it. Say which conditions you have and which medicines you use.',
    },
  ],
} as const satisfies {
  title: string;
  parts: readonly { key: 'cost' | 'risks' | 'notFor'; title: string; text: string }[];
};

/** The claim beside which `risks` must be. */
export const sideEffectsClaim: ClaimId = 'no-adverse-effects';

/** The form to report a problem. */
export const problemTexts = {
  title: 'Report a problem',
  lead: 'Something on this site is wrong, or something went wrong? Our team reads every report. In an emergency, call 911.',
  labels: {
    what: 'What happened?',
    claim: 'Is it about one of our claims? (optional)',
    contact: 'Email or phone, if you want an answer (optional)',
  },
  noClaim: 'No claim in particular',
  submit: 'Send Report',
  received: 'Thank you. We received your report.',
} as const;

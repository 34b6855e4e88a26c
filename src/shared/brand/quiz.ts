import { mark } from './calls.ts';

/** The texts of the quiz page, without its form's (stepForms.ts). `mark` ends a text that states a study claim. */
export const quiz = {
  title: 'Find your certified provider in two short steps',
  lead: 'First your ZIP code. Then you see who is near you, before you tell us anything else.',
  factsLabel: 'Good to know',
  facts: [
    { key: 'studied', text: `Clinically studied: 100% of participants saw gains${mark('all-gained')}` },
    { key: 'private', text: 'Private: your details go to your provider, not to advertisers' },
    { key: 'free', text: 'Nothing to pay on this site, and no card is asked for' },
    { key: 'open', text: 'No obligation: decide after you’ve talked' },
  ],
} as const;

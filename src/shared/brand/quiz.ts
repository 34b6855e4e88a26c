/**
 * The texts of the quiz page, without its form's (stepForms.ts). `provider` is for a provider's own host. `¹` marks a
 * study claim.
 */
export const quiz = {
  title: {
    brand: 'Find your certified provider in two short steps',
    provider: 'Ask for your consultation in two short steps',
  },
  lead: {
    brand: 'First your ZIP code. Then you see who is near you, before you tell us anything else.',
    provider: 'First your ZIP code, then how the clinic can reach you. It takes less than a minute.',
  },
  factsLabel: 'Good to know',
  facts: [
    { key: 'studied', text: 'Clinically studied: 100% of participants saw gains¹' },
    { key: 'private', text: 'Private: your details go to your provider, not to advertisers' },
    { key: 'free', text: 'Nothing to pay on this site, and no card is asked for' },
    { key: 'open', text: 'No obligation: you decide after you have talked' },
  ],
} as const;

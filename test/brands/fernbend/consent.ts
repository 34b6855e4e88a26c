/** Words of the bar that asks before an ad network learns of a lead, on sites that have an ad account. */
export const adConsent = {
  label: 'Your say in our ads',
  title: 'Can we count this visit?',
  text: 'With your yes, the ad network we use hears once that a form was sent here, under a random number. It hears nothing about you.',
  policyLabel: 'More about this',
  accept: 'Yes, count it',
  decline: 'No',
} as const;

/** Where the privacy policy says more. */
export const advertisingId = 'advertising';

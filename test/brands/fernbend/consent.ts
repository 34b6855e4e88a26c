/** The texts of the bar that asks for consent to ad measurement, on sites with an ad account. */
export const adConsent = {
  label: 'Your say in our ads',
  title: 'Can we count this visit?',
  text: 'With your yes, the ad network we use hears once that a form was sent here, under a random number. It hears nothing about you.',
  policyLabel: 'More about this',
  accept: 'Yes, count it',
  decline: 'No',
} as const;

/** The anchor of the privacy policy's section about advertising. */
export const advertisingId = 'advertising';

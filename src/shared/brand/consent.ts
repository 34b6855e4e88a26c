/** Words of the bar that asks before an ad network learns of a lead, on sites that have an ad account. */
export const adConsent = {
  label: 'Privacy choices',
  title: 'May we measure our ads?',
  text: 'If you agree, we tell the ad network we use, once, that someone sent a form here: a random number and this site’s address. Never your name, contact details or ZIP code.',
  policyLabel: 'How that works',
  accept: 'Accept',
  decline: 'Decline',
} as const;

/** Where the privacy policy says more. */
export const advertisingId = 'advertising';

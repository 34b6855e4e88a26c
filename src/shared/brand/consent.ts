/** The texts of the bar that asks for consent to ad measurement, on sites with an ad account. */
export const adConsent = {
  label: 'Privacy choices',
  title: 'May we measure our ads?',
  text: 'If you agree, our ad network learns once that someone sent a form here: a random number and this site’s address. Never your name, contact details or ZIP code.',
  policyLabel: 'How it works',
  accept: 'Accept',
  decline: 'Decline',
} as const;

/** The anchor of the privacy policy's section about advertising. */
export const advertisingId = 'advertising';

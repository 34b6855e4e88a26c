/** Under a field for a ZIP that must be complete. */
export const invalidZip = 'Please enter a valid 5-digit zip code';

/** In whole miles, as all that visitors read. Unbroken: on a phone the number would end a line. */
function countMiles(miles: number): string {
  const whole = Math.round(miles);
  if (whole === 0) return 'less than a mile';
  return `${whole.toLocaleString('en-US')}\u00a0${whole === 1 ? 'mile' : 'miles'}`;
}

/** The box that names the provider for the ZIP, and its reminder beside the consent box. */
export const matchPreviewTexts = {
  /** Before there is a ZIP. */
  prompt: 'Enter your ZIP code to see the provider near you.',
  asking: (zip: string) => `Looking for the provider nearest to ${zip}…`,
  /** The provider's name follows. */
  found: (zip: string) => `Your provider near ${zip}:`,
  distance: (miles: number) => `${Math.round(miles) === 0 ? '' : 'about '}${countMiles(miles)} away`,
  /** The ends of the span from the visitor to the provider. */
  you: 'You',
  miles: countMiles,
  certified: 'Certified',
  none: (zip: string) => `No certified provider near ${zip} yet: our team will search for one in your area.`,
  /** Of a text that is no ZIP code. It promises no search: nobody knows where. */
  unplaced: (text: string) =>
    `We can’t place “${text}”. Add your ZIP so that we can find a provider near you.`,
  /** The nearest provider beyond reach follows. */
  closest: 'Closest today:',
  /** The preview failed. Sending the form answers the question. */
  unknown: (zip: string) => `Our team looks for the provider nearest to ${zip}.`,
  /** Returns to the ZIP. */
  change: (zip: string) => `${zip}, change`,
  /** Beside the consent box if no provider is named. */
  reminder: (zip: string) => `Our team will search for a provider near ${zip}.`,
} as const;

/** The texts of the page after a lead is stored. */
export const success = {
  banner: {
    sent: 'The clinic below has your number and will call you.',
    searching: 'Your request is in. We are looking for a knee clinic in your area.',
  },
  heading: 'Your knees have an appointment to look forward to',
  lead: 'The clinic calls you soon.',
  /** Only if the clinic's phone number is shown. */
  callNow: 'You can also call it yourself.',
  loading: 'Looking up your clinic...',
  cardTitle: 'Your knee clinic',
  /** Its provider's name follows. */
  call: 'Ring',
  /** The phone number is between the two. */
  callFrom: { before: 'The clinic rings from', save: 'keep the number' },
  notAvailable: 'We could not look up the clinic.',
  nextTitle: 'And then',
  next: [
    'The clinic rings you to find a date.',
    'You ask about everything, then decide.',
    'You pay nothing here. Fees are between you and the clinic.',
  ],
  kit: {
    title: 'Until then',
    text: 'A practice set with band and cushion helps you begin at home.',
    /** If no provider was found. */
    textWithoutProvider: 'The practice set works without a clinic too.',
    action: 'Order the practice set',
  },
  noProvider: {
    title: 'No knee clinic near you yet',
    advice:
      'Ask a physical therapist near you about the protocol. Clinics that want to teach it can write to us.',
    /** The nearest provider beyond reach follows. */
    closest: 'The nearest one so far:',
    contactLabel: 'Clinics write to',
    closing: 'We keep looking for a clinic near you',
  },
} as const;

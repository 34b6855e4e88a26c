/** The texts of the page after a lead is stored. */
export const success = {
  banner: {
    sent: 'The clinic below has your number and will call you.',
    searching: 'Your request is in. We are looking for a knee clinic in your area.',
  },
  heading: 'Your knees have an appointment to look forward to',
  lead: 'The clinic calls you soon. You can also call it yourself.',
  loading: 'Looking up your clinic...',
  cardTitle: 'Your knee clinic',
  notAvailable: 'We could not look up the clinic.',
  kit: {
    title: 'Until then',
    text: 'A practice set with band and cushion helps you begin at home.',
    action: 'Order the practice set',
  },
  noProvider: {
    title: 'No knee clinic near you yet',
    advice:
      'Ask a physical therapist near you about the protocol. Clinics that want to teach it can write to us.',
    contactLabel: 'Clinics write to',
    closing: 'We keep looking for a clinic near you',
  },
} as const;

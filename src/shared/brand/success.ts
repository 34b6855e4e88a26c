/** The texts of the page after a lead is stored. */
export const success = {
  banner: {
    sent: "We've sent your contact info to the provider below—stay tuned for their call!",
    searching: "We've received your information and our team will search for providers in your area!",
  },
  heading: 'Your Path to Natural Male Enhancement Has Begun!',
  lead: 'Your provider will call you soon.',
  /** Only if the provider's phone number is shown. */
  callNow: 'Prefer not to wait? Call now.',
  loading: 'Loading provider information...',
  cardTitle: 'Provider Near You',
  /** Its provider's name follows. */
  call: 'Call',
  /** The phone number is between the two. */
  callFrom: { before: 'The call will come from', save: 'save it' },
  notAvailable: 'Provider information not available.',
  nextTitle: 'What happens next',
  next: [
    'The provider calls you to arrange a consultation.',
    'Ask anything you like, then decide.',
    'No payment is taken on this site. Fees are between you and your provider.',
  ],
  kit: {
    title: 'While you wait',
    text: 'You can order your starter kit before your first visit.',
    /** If no provider was found. */
    textWithoutProvider: 'You can order your starter kit without a provider.',
    action: 'Order Your Starter Kit',
  },
  noProvider: {
    title: 'No Provider Found Yet',
    advice:
      "Ask a local men's clinic about the treatment. If they want to offer it near you, they can contact us to be certified.",
    /** The nearest provider beyond reach follows. */
    closest: 'Closest today:',
    contactLabel: 'Clinics can reach us at',
    closing: "We'll continue searching for providers in your area",
  },
} as const;

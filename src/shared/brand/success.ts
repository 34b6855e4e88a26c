/** The texts of the page after a lead is stored. */
export const success = {
  banner: {
    sent: "We've sent your contact info to the provider below—stay tuned for their call!",
    searching: "We've received your information and our team will search for providers in your area!",
  },
  heading: 'Your Path to Natural Male Enhancement Has Begun!',
  lead: 'Your provider will call you soon. If you prefer not to wait, you can call now.',
  loading: 'Loading provider information...',
  cardTitle: 'Provider Near You',
  notAvailable: 'Provider information not available.',
  kit: {
    title: 'While you wait',
    text: 'You can order your starter kit before your first visit.',
    action: 'Order Your Starter Kit',
  },
  noProvider: {
    title: 'No Provider Found Yet',
    advice:
      "Ask a local men's clinic about the treatment. If they want to offer it, they can contact us to be certified, close to where you live.",
    contactLabel: 'Clinics reach us at',
    closing: "We'll continue searching for providers in your area",
  },
} as const;

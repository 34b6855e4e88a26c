/** The texts of the page on which a lead withdraws. */
export const withdraw = {
  windowTitle: 'Withdraw your consent',
  ask: {
    title: 'Withdraw your consent?',
    text: 'We and the provider then stop calling, texting and writing to you. This applies to every request made with this email address.',
    action: 'Withdraw my consent',
  },
  done: {
    title: 'You have withdrawn your consent',
    text: 'We do not contact you any more, and we tell the provider to stop as well. A message already on its way may still arrive. If you also made a request with another email address, use the link in that message or write to us.',
  },
  failed: {
    title: 'That did not work just now',
    text: 'Please open the link again in a minute, or write to us and we take you off our lists.',
  },
  unknown: {
    title: 'This link does not work',
    text: 'It may have been cut off. Open it from the message again, or write to us and we take you off our lists.',
  },
} as const;

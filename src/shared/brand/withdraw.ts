/** The texts of the page on which a lead withdraws. */
export const withdraw = {
  windowTitle: 'Withdraw your consent',
  ask: {
    title: 'Withdraw your consent?',
    text: 'We and the provider will stop calling, texting and emailing you. This applies to every request made with this email address.',
    action: 'Withdraw my consent',
  },
  done: {
    title: 'You have withdrawn your consent',
    text: 'We won’t contact you again, and we ask the provider to stop too. A message already on its way may still arrive. If you also made a request with another email address, use the link in that message or write to us.',
  },
  failed: {
    title: 'Something went wrong',
    text: 'Please open the link again in a minute, or write to us and we’ll take you off our lists.',
  },
  unknown: {
    title: 'This link doesn’t work',
    text: 'It may have been cut off. Open it from the message again, or write to us and we’ll take you off our lists.',
  },
} as const;

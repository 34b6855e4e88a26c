/** The texts of the page on which a lead withdraws. */
export const withdraw = {
  windowTitle: 'Withdraw your consent',
  ask: {
    title: 'Withdraw your consent?',
    text: 'We’ll stop contacting you and ask the provider to stop calling, texting and emailing you. This applies to every request made with this email address. Our team also checks requests with the same phone number.',
    action: 'Withdraw my consent',
  },
  done: {
    title: 'You’ve withdrawn your consent',
    text: 'We won’t contact you again, and we’ve asked the provider to stop too. A message already on its way may still arrive. Our team also checks requests made with the same phone number and another email address. If they are yours, use the link in that email or contact us to stop them at once.',
  },
  reported: {
    title: 'We’ve passed this on to our team',
    text: 'Our data was restored from a backup, and your request came after it, so we can’t stop it by ourselves. Our team will look for it and ask the provider to stop. To be sure, email us from the address that you used.',
  },
  failed: {
    title: 'Something went wrong',
    text: 'Please open the link again in a minute, or email us and we’ll remove you from our lists.',
  },
  unknown: {
    title: 'This link doesn’t work',
    text: 'Part of it may be missing. Open it from the email again, or email us and we’ll remove you from our lists.',
  },
} as const;

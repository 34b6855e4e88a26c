/** The texts of the page on which a provider reports an outcome. leadOutcomes.ts names the outcomes. */
export const outcome = {
  windowTitle: 'How did it go?',
  ask: {
    title: (firstName: string, zipCode: string) => `How did it go with ${firstName} from ${zipCode}?`,
    text: 'Choose the best fit. Nothing is saved until you tap.',
  },
  noted: {
    title: (name: string) => `Saved: ${name}`,
    text: (firstName: string, zipCode: string) =>
      `Thanks. Saved for ${firstName} (${zipCode}). If things change, choose another.`,
  },
  contradiction: {
    title: 'Two different answers arrived',
    text: 'Both came within a minute, so neither was saved: mail scanners sometimes press every link. Wait a minute, then choose again.',
  },
  pending: {
    title: 'Saved: Wrong area',
    text: 'In five minutes we’ll look for another provider, and this lead is no longer yours. If that’s not right, wait a minute and choose another answer.',
  },
  wrongArea: 'Wrong area: we’ll find another provider and remove this lead from you.',
  returned: {
    title: 'Saved: Wrong area',
    text: 'Thanks. This lead is no longer yours, and we’re looking for a provider closer to them. Please don’t contact them again.',
  },
  moved: {
    title: 'Another provider has this lead now',
    text: 'You don’t need to do anything. Please don’t contact them again.',
  },
  gone: {
    title: 'This lead has been deleted',
    text: 'Please don’t contact them again.',
  },
  restored: {
    title: 'We no longer have this lead',
    text: 'Our data was restored from a backup, and this lead came after it. If you’re in contact with them, please go on. Email us what our message said, so that we can add the lead again.',
  },
  expired: {
    title: 'This link has expired',
    text: 'Links work for 90 days. Email us if you have an update about this lead.',
  },
  unknown: {
    title: 'This link doesn’t work',
    text: 'Part of it may be missing. Open it from the email again, or email us.',
  },
  failed: {
    title: 'Something went wrong',
    text: 'Nothing was saved. Please open the link again in a minute.',
  },
} as const;

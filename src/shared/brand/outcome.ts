/** The texts of the page on which a provider reports an outcome. mail.ts names the five outcomes. */
export const outcome = {
  windowTitle: 'How did it go?',
  ask: {
    title: (firstName: string, zipCode: string) => `How did it go with ${firstName} from ${zipCode}?`,
    text: 'Press what fits best. Nothing is noted before that.',
  },
  noted: {
    title: (name: string) => `Noted: ${name}`,
    text: (firstName: string, zipCode: string) =>
      `Thank you. This is about ${firstName} from ${zipCode}. Should it have changed, press another.`,
  },
  wrongArea: 'Wrong area: we then look for another provider, and you no longer have this lead.',
  returned: {
    title: 'Noted: Wrong area',
    text: 'Thank you. You no longer have this lead; we look for another provider near them. Please don’t contact them any more.',
  },
  moved: {
    title: 'Another provider has this lead now',
    text: 'There is nothing more for you to do. Please don’t contact them any more.',
  },
  gone: {
    title: 'This lead is no longer there',
    text: 'It was deleted. Please don’t contact them any more.',
  },
  expired: {
    title: 'This link has expired',
    text: 'It worked for 90 days. Write to us if you want to tell us more about this lead.',
  },
  unknown: {
    title: 'This link does not work',
    text: 'It may have been cut off. Open it from the message again, or write to us.',
  },
  failed: {
    title: 'That did not work just now',
    text: 'Nothing was noted. Please open the link again in a minute.',
  },
} as const;

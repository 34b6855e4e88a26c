/** The texts of the page on which a provider reports an outcome. leadOutcomes.ts names the outcomes. */
export const outcome = {
  windowTitle: 'Word from the clinic',
  ask: {
    title: (firstName: string, zipCode: string) => `Any news of ${firstName} in ${zipCode}?`,
    text: 'One of these will do; we write it down once you have pressed it.',
  },
  noted: {
    title: (name: string) => `In our book: ${name}`,
    text: (firstName: string, zipCode: string) =>
      `So it stands for ${firstName} in ${zipCode}. A different button overwrites it.`,
  },
  contradiction: {
    title: 'We heard two different things',
    text: 'Two buttons within a minute: we wrote down neither. Take a minute, then press the one that is right.',
  },
  pending: {
    title: 'In our book: too far off',
    text: 'The case leaves your desk in five minutes. Until then, a different button keeps it there.',
  },
  wrongArea: 'Too far off? Then we ask the next clinic, and the case leaves your desk.',
  returned: {
    title: 'In our book: too far off',
    text: 'The case has left your desk and goes to the next clinic, if we find one. Leave the person be, please.',
  },
  moved: {
    title: 'This case lies on another desk',
    text: 'Somebody else looks after it. Leave the person be, please.',
  },
  gone: {
    title: 'We have closed this case',
    text: 'It is no longer kept here. Leave the person be, please.',
  },
  restored: {
    title: 'This page of our book is lost',
    text: 'We copied the book anew from an older one. Carry on with this case as agreed, and drop us a line with what we sent you.',
  },
  expired: {
    title: 'You come too late with this link',
    text: 'After 90 days we close the book. Drop us a line instead.',
  },
  unknown: {
    title: 'We do not know this link',
    text: 'Perhaps its end is missing. Take it from the message once more, or drop us a line.',
  },
  failed: {
    title: 'Our book is closed for a moment',
    text: 'Not a word was written down. Come back to this link in a minute.',
  },
} as const;

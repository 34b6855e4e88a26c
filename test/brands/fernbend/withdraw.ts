/** The texts of the page on which a lead withdraws. */
export const withdraw = {
  windowTitle: 'Changed your mind?',
  ask: {
    title: 'Shall we leave you in peace?',
    text: 'The clinic and we then neither ring nor write, whatever you asked for before with this address.',
    action: 'Leave me in peace',
  },
  done: {
    title: 'We leave you in peace',
    text: 'The clinic hears of it from us. What was posted an hour ago may still reach you.',
  },
  reported: {
    title: 'One of us sees to it',
    text: 'The page with your case is lost, so we look for it by hand. A line from your own address helps us find it.',
  },
  failed: {
    title: 'Our register is closed for a moment',
    text: 'Come back to this link in a minute, or drop us a line and we do it by hand.',
  },
  unknown: {
    title: 'We do not know this link',
    text: 'Perhaps its end is missing. Take it from the message once more, or drop us a line.',
  },
} as const;

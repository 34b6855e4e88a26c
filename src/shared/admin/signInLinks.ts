import { z } from 'zod';

/** How long a sign-in link is valid, in minutes. */
export const signInLinkMinutes = 20;

export const signInLinkInput = z.object({
  email: z.string().trim().min(1, 'Email is required').max(254, 'Use at most 254 characters'),
});

/** Texts of the message with the link and of its page. They are the same for every brand. */
export const signInLinkCopy = {
  mail: {
    subject: 'Your sign-in link',
    intro: (brandName: string) =>
      `You asked to sign in to the dashboard of ${brandName}. Open this link: it works once, within ${signInLinkMinutes} minutes.`,
    ignore: 'If you didn’t ask for it, ignore this message: nobody is signed in. Don’t forward it.',
  },
  windowTitle: 'Sign in',
  ask: { title: 'Sign in', text: 'Press the button to sign in on this device.', action: 'Sign in' },
  unknown: {
    title: 'This sign-in link doesn’t work',
    text: 'It was used, is too old or was replaced by a later sign-in. Ask for a new one, or use your password.',
  },
  failed: { title: 'Please try again', text: 'Signing in didn’t work just now. Press Back and try again.' },
  refused: {
    title: 'You don’t have access',
    text: 'No account of the dashboard belongs to this sign-in, or its email address isn’t verified. Ask an owner to add you, then try again.',
  },
  noProvider: {
    title: 'Single sign-on didn’t work',
    text: 'It took too long, was opened twice, or doesn’t answer just now. Try again, or sign in with your password.',
  },
  dashboard: 'Go to the dashboard',
} as const;

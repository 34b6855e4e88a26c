import { z } from 'zod';

/** How long a link is valid, in minutes. */
export const linkMinutes = { 'sign-in': 20, reset: 60, invitation: 7 * 24 * 60 } as const;
export type LinkKind = keyof typeof linkMinutes;

/** `reset`: a link to choose a new password. */
export const signInLinkInput = z.object({
  email: z.string().trim().min(1, 'Email is required').max(254, 'Use at most 254 characters'),
  kind: z.enum(['sign-in', 'reset']).default('sign-in'),
});

/** Texts of the messages with links and of their page. They are the same for every brand. */
export const signInLinkCopy = {
  mails: {
    'sign-in': {
      subject: 'Your sign-in link',
      intro: (brandName: string) =>
        `You asked to sign in to the dashboard of ${brandName}. Open this link: it works once, within ${linkMinutes['sign-in']} minutes.`,
      ignore: 'If you didn’t ask for it, ignore this message: nobody is signed in. Don’t forward it.',
    },
    reset: {
      subject: 'Choose a new password',
      intro: (brandName: string) =>
        `Somebody asked to reset your password for the dashboard of ${brandName}. Open this link to choose a new one: it works once, within an hour.`,
      ignore: 'If it wasn’t you, ignore this message: your password stays as it is. Don’t forward it.',
    },
    invitation: {
      subject: 'Your invitation',
      intro: (brandName: string) =>
        `You are invited to the dashboard of ${brandName}. Open this link to choose a password: it works once, within seven days.`,
      ignore: 'If you don’t expect an invitation, ignore this message. Don’t forward it.',
    },
  },
  changedMail: {
    subject: 'Your password was changed',
    text: (brandName: string) =>
      `The password of your account for the dashboard of ${brandName} was changed. Other devices are signed out.`,
    help: 'If it wasn’t you, reset your password on the sign-in page and write to us.',
  },
  windowTitle: 'Sign in',
  ask: { title: 'Sign in', text: 'Press the button to sign in on this device.', action: 'Sign in' },
  reset: {
    title: 'Choose a new password',
    text: 'Your other devices are signed out when you save it.',
    action: 'Save password',
  },
  invitation: {
    title: 'Choose a password',
    text: 'With it and your email address you sign in to the dashboard.',
    action: 'Save and sign in',
  },
  email: 'Email',
  password: 'New password',
  changed: { title: 'Your password was changed', text: 'Sign in with your new password.' },
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

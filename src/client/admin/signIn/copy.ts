import { dashboardTitle } from '#shared/pages/paths.ts';

/** Text of the sign-in page. It is the same for every brand. */
export const gateCopy = {
  title: dashboardTitle,
  password: 'Password',
  namedAccount: 'Sign in with your own account',
  email: 'Email',
  signIn: 'Sign in',
  signingIn: 'Signing in…',
  sendLink: 'Email me a sign-in link',
  sendingLink: 'Sending…',
  /** The same for an address without an account. */
  linkSent:
    'If an account has this address, a link is on its way. It works once, within 20 minutes. A second one comes after 15 minutes.',
  linkNeedsEmail: 'Type your email address first.',
  linkFailed: 'The link couldn’t be sent. Please try again.',
  signOut: 'Sign out',
  signedInAs: (name: string, role: string) => `Signed in as ${name} (${role})`,
  loading: 'Loading…',
  /** Shown when the server gives no reason. */
  failed: 'Sign-in failed. Please try again.',
  signOutFailed: 'Sign-out failed. Please try again.',
  sessionOver: 'Your session has expired. Sign in again.',
  otherAccount: (name: string) =>
    `This browser is now signed in as ${name}. This page belongs to another account, so it can’t save changes.`,
  continueAs: (name: string) => `Continue as ${name}`,
  confirm: {
    title: 'Confirm that it’s you',
    text: (name: string) =>
      `This needs a sign-in of the last 15 minutes. Type the password of ${name}. If you don’t have one, sign out and in again.`,
    action: 'Confirm',
  },
  withoutScripts: 'The dashboard needs JavaScript.',
} as const;

/** The tabs that only owners see. */
export const ownerTabs = [
  { key: 'team', label: 'Team' },
  { key: 'tokens', label: 'Tokens' },
  { key: 'integrations', label: 'Integrations' },
  { key: 'claims', label: 'Claims' },
  { key: 'audit', label: 'Audit log' },
] as const;

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
  singleSignOn: 'Sign in with single sign-on',
  forgot: 'Forgot your password?',
  /** The same for an address without an account. */
  resetSent:
    'If an account has this address, a link to choose a new password is on its way. It works once, within an hour. A second one comes after 15 minutes.',
  changePassword: 'Change password',
  changePasswordNote: 'This signs you out on your other devices.',
  currentPassword: 'Current password',
  newPassword: 'New password',
  passwordChanged: 'Password changed',
  sessions: 'Signed-in devices',
  sessionsNote: 'Where you are signed in. A session ends after 12 hours, or after 2 hours without use.',
  endOthers: 'Sign out all others',
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
    usePassword: 'Use the password',
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

/** Text of two-factor sign-in. */
export const factorCopy = {
  title: 'Two-factor sign-in',
  loading: 'Loading…',
  failed: 'That didn’t work. Please try again.',
  codeLead: 'Open your authenticator app and enter its code.',
  code: 'Code from the app',
  recoveryLead: 'Enter one of the recovery codes that you saved. Each works once.',
  recoveryCode: 'Recovery code',
  useRecovery: 'Use a recovery code',
  useApp: 'Use the app',
  required: 'Your role needs two-factor sign-in. Set it up to continue.',
  scan: 'Scan this with an authenticator app, then enter the code that the app shows.',
  qr: 'QR code for an authenticator app',
  orType: 'Or type this key into the app:',
  openApp: 'Open an app on this device',
  turnOn: 'Turn on',
  recoveryNote:
    'Two-factor sign-in is on. Save these recovery codes: each signs you in once without the phone. You won’t see them again.',
  turnedOn: 'Two-factor sign-in is on',
  off: 'Off. With it, signing in needs your password and a code from an app on your phone.',
  on: (left: number) => `On. Recovery codes left: ${left}.`,
  staysOn: 'Your role needs it, so it can’t be turned off.',
  sharedPassword: 'The shared password has no two-factor sign-in. Sign in with your own account.',
  setUp: 'Set up',
  setUpAgain: 'Set up again',
  turnOff: 'Turn off',
  turnOffNote: 'Signing in will need only your password. The recovery codes stop working.',
  turnedOff: 'Two-factor sign-in is off',
} as const;

import { dashboardTitle } from '#shared/admin/dashboardTitle.ts';

/** Words of the gate before the staff's dashboard. They are the same whatever the brand. */
export const gateCopy = {
  title: dashboardTitle,
  password: 'Password',
  namedAccount: 'Named account',
  email: 'Email',
  signIn: 'Sign in',
  signingIn: 'Signing in…',
  signOut: 'Sign out',
  signingOut: 'Signing out…',
  signedInAs: (name: string, role: string) => `Signed in as ${name} (${role})`,
  loading: 'Loading…',
  /** When no answer of the server says why. */
  failed: 'Sign-in failed. Please try again.',
  signOutFailed: 'Sign-out failed. Please try again.',
  sessionOver: 'Your session is over. Sign in again.',
  withoutScripts: 'The dashboard needs JavaScript.',
} as const;

/** The owners' rooms of the dashboard. */
export const ownerTabs = [
  { key: 'team', label: 'Team' },
  { key: 'tokens', label: 'Tokens' },
  { key: 'integrations', label: 'Integrations' },
  { key: 'audit', label: 'Audit log' },
] as const;

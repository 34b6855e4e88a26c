import { z } from 'zod';

/**
 * Roles: viewers read, managers work on leads and providers, owners also manage accounts, tokens and webhooks, read the
 * audit log, lift suppressions, and export and erase persons. Each role includes the previous one.
 */
export const staffRoles = ['viewer', 'manager', 'owner'] as const;
export type StaffRole = (typeof staffRoles)[number];

/** Scopes of an API token. */
export const tokenScopes = [
  'leads:read',
  'leads:write',
  'providers:read',
  'providers:write',
  'sync:run',
  'deliveries:read',
  'deliveries:write',
  'webhooks:read',
  'webhooks:write',
] as const;
export type TokenScope = (typeof tokenScopes)[number];

/** The signed-in user. With the shared password: the owner named `Staff`. */
export const staffMember = z.object({
  name: z.string(),
  email: z.string().nullable(),
  role: z.enum(staffRoles),
  /** Distinguishes accounts in one browser: the account's id, or `shared` for the shared password. */
  account: z.string(),
});
export type StaffMember = z.infer<typeof staffMember>;

/** `email` is left out for the shared password. */
export const signInInput = z.object({
  email: z.string().trim().max(254).optional(),
  password: z.string().min(1, 'Invalid password').max(1024, 'Invalid password'),
});

/** Proves again who is signed in: by the password, or by a code where the account has two-factor sign-in. */
export const confirmInput = z.union([
  signInInput.pick({ password: true }),
  z.object({ code: z.string().trim().min(1, 'Enter the code').max(40) }),
]);

/** Whether a role includes another. */
export function includesRole(has: StaffRole, needed: StaffRole): boolean {
  return staffRoles.indexOf(has) >= staffRoles.indexOf(needed);
}

/** The account that a page shows, sent with each change: another tab may have signed in with another one. */
export const accountHeader = 'X-Account';

/** The `account` of a member. */
export function accountKey(accountId: number | null): string {
  return accountId === null ? 'shared' : String(accountId);
}

/** `1` on requests that a page repeats on its own: they don't extend the session. */
export const backgroundHeader = 'X-Background';

/** On the 503 of an export while others are under way: a page asks by HEAD, which has no body to say so. */
export const exportsBusyHeader = 'X-Exports-Busy';

/** Where an open dashboard reads the ids of new leads as server-sent events. */
export const eventsPath = '/api/events';

/** `leads`: ids of leads that arrived, or none as a sign of life. `gap`: some may have been missed. */
export type LiveEvent = 'leads' | 'gap';
export const liveIds = z.object({ ids: z.array(z.number()) });

/** How often a stream that has nothing to say gives a sign of life. */
export const heartbeatMs = 20_000;

import { staffAccounts } from '#server/db/schema/index.ts';
import { startSession } from '#server/features/staff/sessions.ts';
import { createToken } from '#server/features/staff/tokens.ts';
import { sessionCookieName } from '#server/sessionCookie.ts';
import type { StaffRole, TokenScope } from '#shared/staff.ts';
import type { TestApp } from './testApp.ts';

/** What a signed-in page sends with each call. */
export interface StaffHeaders extends Record<string, string> {
  cookie: string;
  origin: string;
}

/** A hash that no password belongs to; sessions made here need none. */
const passwordHash = `$argon2id$v=19$m=8,t=1,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** Makes an account of that role with a session, without the cost of a password. */
export async function signedIn(app: TestApp, role: StaffRole = 'manager'): Promise<StaffHeaders> {
  const name = `Test ${role}`;
  const email = `${role}-${crypto.randomUUID()}@staff.example`;
  const [account] = await app.db
    .insert(staffAccounts)
    .values({ name, email, passwordHash, role })
    .returning({ id: staffAccounts.id });
  if (account === undefined) throw new Error('the account was not stored');
  const { token } = await startSession(app.db, {
    accountId: account.id,
    passwordHash,
    now: app.services.now(),
  });
  return { cookie: `${sessionCookieName(false)}=${token}`, origin: app.url };
}

/** Makes a token with these scopes, as the header a script sends. */
export async function tokenOf(
  app: TestApp,
  scopes: readonly TokenScope[],
): Promise<{ authorization: string }> {
  const { token } = await createToken(app.db, {
    name: 'Test script',
    scopes,
    createdBy: 'Test',
    now: app.services.now(),
  });
  return { authorization: `Bearer ${token}` };
}

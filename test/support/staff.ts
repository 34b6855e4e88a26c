import { argon2Sync } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { type StaffAccountRow, staffAccounts } from '#server/db/schema/index.ts';
import { startSession } from '#server/features/auth/sessions.ts';
import { createToken } from '#server/features/auth/tokens.ts';
import { sessionCookieName } from '#server/security/cookies.ts';
import type { StaffRole, TokenScope } from '#shared/admin/staff.ts';
import type { TestApp } from './testApp.ts';

/** The headers that a signed-in page sends with each call. */
export interface StaffHeaders extends Record<string, string> {
  cookie: string;
  origin: string;
}

/** The dashboard's password in tests, and its hash at the lowest cost. */
export const testPassword = 'correct horse battery';
export const testPasswordHash = cheapHash(testPassword);

export function cheapHash(password: string): string {
  const nonce = Buffer.alloc(16, 1);
  const tag = argon2Sync('argon2id', {
    message: password,
    nonce,
    parallelism: 1,
    tagLength: 32,
    memory: 8,
    passes: 1,
  });
  const text = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');
  return `$argon2id$v=19$m=8,t=1,p=1$${text(nonce)}$${text(tag)}`;
}

/** Inserts an account with the password `testPassword`. */
export async function insertAccount(app: Pick<TestApp, 'db'>, role: StaffRole): Promise<StaffAccountRow> {
  // A second account of the role has another name.
  const name =
    (await app.db.$count(staffAccounts, eq(staffAccounts.role, role))) === 0
      ? `Test ${role}`
      : `Test ${role} ${crypto.randomUUID()}`;
  const email = `${role}-${crypto.randomUUID()}@staff.example`;
  const [account] = await app.db
    .insert(staffAccounts)
    .values({ name, email, passwordHash: testPasswordHash, role })
    .returning();
  if (account === undefined) throw new Error('the account was not stored');
  return account;
}

/** Opens a session of an account without its password. */
export async function getSession(
  app: TestApp,
  { id, passwordHash }: Pick<StaffAccountRow, 'id' | 'passwordHash'>,
  now: Date = app.services.now(),
): Promise<StaffHeaders> {
  const { token } = await startSession(app.db, { accountId: id, passwordHash, now });
  return { cookie: `${sessionCookieName(false)}=${token}`, origin: app.url };
}

/** Creates an account of this role with a session. */
export async function signedIn(app: TestApp, role: StaffRole = 'manager'): Promise<StaffHeaders> {
  return getSession(app, await insertAccount(app, role));
}

/** Creates a token with these scopes. Returns a script's header with it. */
export async function getToken(
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

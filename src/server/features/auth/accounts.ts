import { createHash } from 'node:crypto';
import { asc, eq, sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { StaffRole } from '#shared/admin/staff.ts';
import type { accountRoleInput, StaffAccount } from '#shared/admin/access.ts';
import type { Database, Queryable } from '#server/db/connect.ts';
import { type StaffAccountRow, staffAccounts } from '#server/db/schema/index.ts';
import { AppError, notFound } from '#server/errors.ts';
import { hashPassword } from '#server/security/password.ts';
import { recordAudit } from '../audit/audit.ts';
import { recordAccessChange } from '../ledger/accessChanges.ts';
import type { ActorServices, StaffActor } from './actor.ts';
import { endAccountSessions } from './sessions.ts';
import { findNeededStep } from './totp.ts';
import { passwordFault, type PasswordOwner } from './passwordFault.ts';

/** An account by its email address, in any case. */
export async function findAccountByEmail(db: Queryable, email: string): Promise<StaffAccountRow | null> {
  const [row] = await db
    .select()
    .from(staffAccounts)
    .where(eq(sql`lower(${staffAccounts.email})`, email.toLowerCase()));
  return row ?? null;
}

/** The account with this id. Throws NOT_FOUND. */
export async function getAccount(db: Queryable, id: number): Promise<StaffAccountRow> {
  const account = await findAccount(db, id);
  if (account === null) throw notFound('Account');
  return account;
}

export async function findAccount(db: Queryable, id: number): Promise<StaffAccountRow | null> {
  const [row] = await db.select().from(staffAccounts).where(eq(staffAccounts.id, id));
  return row ?? null;
}

/** The account, locked until the transaction ends; null if it was removed. */
export async function lockAccount(tx: Queryable, id: number): Promise<StaffAccountRow | null> {
  const [row] = await tx.select().from(staffAccounts).where(eq(staffAccounts.id, id)).for('update');
  return row ?? null;
}

/** Changes with each sign-in and each new password: what is signed with it works once, and not after either. */
export function accountStamp({ lastSignInAt, passwordHash }: StaffAccountRow): string {
  const text = `${lastSignInAt?.getTime() ?? ''}\n${passwordHash}`;
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

/** Records a sign-in of a locked account. Returns the account with its new stamp. */
export async function recordSignIn(
  tx: Queryable,
  account: StaffAccountRow,
  now: Date,
): Promise<StaffAccountRow> {
  // Later than the former one, so that the stamp changes.
  const lastSignInAt = new Date(Math.max(now.getTime(), (account.lastSignInAt?.getTime() ?? 0) + 1));
  await tx.update(staffAccounts).set({ lastSignInAt }).where(eq(staffAccounts.id, account.id));
  return { ...account, lastSignInAt };
}

/** Whether anyone can sign in. Production needs a shared password or accounts; elsewhere there is always a password. */
export async function isDashboardConfigured({
  config,
  db,
}: Pick<ActorServices, 'config' | 'db'>): Promise<boolean> {
  if (!config.production || config.adminPasswordHash !== null) return true;
  return (await db.$count(staffAccounts)) > 0;
}

export function listAccounts(db: Queryable): Promise<StaffAccountRow[]> {
  return db.select().from(staffAccounts).orderBy(asc(staffAccounts.name), asc(staffAccounts.id));
}

export function presentAccount(row: StaffAccountRow, actor: StaffActor): StaffAccount {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    role: row.role,
    created_at: row.createdAt.toISOString(),
    last_sign_in_at: row.lastSignInAt?.toISOString() ?? null,
    isOwn: row.id === actor.accountId,
  };
}

/** The hash of an account's new password. Throws UNPROCESSABLE_CONTENT for one that is easy to guess. */
export async function hashNewPassword(password: string, owner: PasswordOwner): Promise<string> {
  const fault = await passwordFault(password, owner);
  if (fault !== null) throw new AppError('UNPROCESSABLE_CONTENT', fault, { fields: { password: fault } });
  return hashPassword(password);
}

type NewAccount = Pick<StaffAccountRow, 'name' | 'email' | 'role' | 'passwordHash' | 'createdAt'> &
  Partial<Pick<StaffAccountRow, 'lastSignInAt'>>;

/** Throws CONFLICT if an account has the address or the name already, in any case, also of concurrent calls. */
export async function insertAccount(db: Queryable, account: NewAccount): Promise<StaffAccountRow> {
  const [row] = await db.insert(staffAccounts).values(account).onConflictDoNothing().returning();
  if (row !== undefined) return row;
  throw taken((await findAccountByEmail(db, account.email)) === null ? 'name' : 'email');
}

export function taken(field: 'email' | 'name'): AppError {
  const message = `There is an account with this ${field} already`;
  return new AppError('CONFLICT', message, { fields: { [field]: message } });
}

/** Changes a role or a password, in a transaction. Throws NOT_FOUND. */
export async function updateAccount(
  db: Queryable,
  id: number,
  change: { role: StaffRole } | { passwordHash: string },
): Promise<StaffAccountRow> {
  const isPassword = 'passwordHash' in change;
  const set = isPassword ? { ...change, passwordVoidAt: null } : change;
  const [row] = await db.update(staffAccounts).set(set).where(eq(staffAccounts.id, id)).returning();
  if (row === undefined) throw notFound('Account');
  // The next sign-in asks for what the new role needs.
  if (!isPassword && (await findNeededStep(db, { accountId: id, role: row.role })) === 'set-up')
    await endAccountSessions(db, id);
  await recordAccessChange(
    db,
    isPassword
      ? { kind: 'password-changed', targetId: id }
      : { kind: 'role-changed', targetId: id, ...change },
  );
  return row;
}

/**
 * Gives an account another role, immediately, also for open sessions. `from`: the role that it had for the caller, if
 * known. Throws NOT_FOUND, CONFLICT for the caller's own and if the role isn't `from`, and as `keepAnOwner`.
 */
export function changeRole(
  db: Database,
  { actor, ip }: { actor: StaffActor; ip: string },
  { id, role, from, isUndo }: z.infer<typeof accountRoleInput>,
): Promise<StaffAccountRow> {
  refuseOwn(id, actor, 'Another owner must change your role.');
  return db.transaction(async (tx) => {
    await keepAnOwner(tx, id, actor);
    const before = await lockAccount(tx, id);
    if (from !== undefined && before !== null && before.role !== from)
      throw new AppError('CONFLICT', 'Somebody else changed this role. Nothing was changed.');
    const row = await updateAccount(tx, id, { role });
    const [action, subject] = [
      isUndo ? 'account.role-undo' : 'account.role',
      { kind: 'account', id },
    ] as const;
    await recordAudit(tx, { actor, ip, action, subject, detail: { role } });
    return row;
  });
}

/** Deletes an account and its sessions. Throws NOT_FOUND. */
export async function deleteAccount(db: Queryable, id: number): Promise<StaffAccountRow> {
  const [row] = await db.delete(staffAccounts).where(eq(staffAccounts.id, id)).returning();
  if (row === undefined) throw notFound('Account');
  await recordAccessChange(db, { kind: 'account-removed', targetId: id });
  return row;
}

/** The ids of the owners, locked in this order, so that two such transactions never deadlock. Before any other account. */
export async function lockOwners(tx: Queryable): Promise<number[]> {
  const owners = await tx
    .select({ id: staffAccounts.id })
    .from(staffAccounts)
    .where(eq(staffAccounts.role, 'owner'))
    .orderBy(asc(staffAccounts.id))
    .for('update');
  return owners.map(({ id }) => id);
}

/**
 * Before an account is deleted or gets another role, in the same transaction: ensures that another owner exists until
 * the transaction ends, whatever others do concurrently, and that the actor still is one. The shared password's owner
 * counts. Throws CONFLICT and FORBIDDEN.
 */
export async function keepAnOwner(
  tx: Queryable,
  id: number,
  actor: Pick<StaffActor, 'accountId'>,
): Promise<void> {
  const owners = await lockOwners(tx);
  if (actor.accountId === null) return;
  if (owners.every((owner) => owner === id)) throw new AppError('CONFLICT', 'There must be an owner left.');
  if (!owners.includes(actor.accountId)) throw new AppError('FORBIDDEN', 'Not allowed.');
}

/** Nobody can lock themselves out. Throws CONFLICT. */
export function refuseOwn(id: number, actor: StaffActor, sentence: string): void {
  if (id === actor.accountId) throw new AppError('CONFLICT', sentence);
}

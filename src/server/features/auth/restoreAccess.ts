import { and, eq, isNull, ne } from 'drizzle-orm';
import type { Queryable } from '#server/db/connect.ts';
import { type AccessChangeRow, apiTokens, staffAccounts, staffSessions } from '#server/db/schema/index.ts';
import { recordAudit } from '../audit/audit.ts';
import { adoptAccessChanges } from '../ledger/accessChanges.ts';
import type { NotedAccessChange } from '../ledger/ledgerNotes.ts';

const actor = { kind: 'command', name: 'npm run restore' } as const;

/** What a restored database lost again. */
export interface RestoredAccess {
  sessions: number;
  tokens: number;
  accounts: number;
  /** Changes of roles. */
  roles: number;
  /** Accounts whose password is void. */
  passwords: number;
}

/** Ends every session. Returns how many. */
async function endSessions(tx: Queryable): Promise<number> {
  return (await tx.delete(staffSessions)).count;
}

const kinds = ['token-revoked', 'account-removed', 'password-changed', 'role-changed'] as const;

/** Returns whether the database lacked the change. */
async function repeatChange(
  tx: Queryable,
  { kind, targetId: id, role }: AccessChangeRow,
  now: Date,
): Promise<boolean> {
  const audit = { actor, ip: null } as const;
  if (kind === 'token-revoked') {
    const open = and(eq(apiTokens.id, id), isNull(apiTokens.revokedAt));
    const revoked = await tx
      .update(apiTokens)
      .set({ revokedAt: now })
      .where(open)
      .returning({ id: apiTokens.id });
    if (revoked.length === 0) return false;
    await recordAudit(tx, { ...audit, action: 'token.revoke', subject: { kind: 'token', id } });
    return true;
  }
  const subject = { kind: 'account', id };
  const own = eq(staffAccounts.id, id);
  if (kind === 'account-removed') {
    const removed = await tx.delete(staffAccounts).where(own).returning({ id: staffAccounts.id });
    if (removed.length === 0) return false;
    await recordAudit(tx, { ...audit, action: 'account.remove', subject });
    return true;
  }
  if (kind === 'role-changed') {
    if (role === null) return false;
    const other = and(own, ne(staffAccounts.role, role));
    const given = await tx
      .update(staffAccounts)
      .set({ role })
      .where(other)
      .returning({ id: staffAccounts.id });
    if (given.length === 0) return false;
    await recordAudit(tx, { ...audit, action: 'account.role', subject, detail: { role } });
    return true;
  }
  const changed = await tx
    .update(staffAccounts)
    .set({ passwordVoidAt: now })
    .where(and(own, isNull(staffAccounts.passwordVoidAt)))
    .returning({ id: staffAccounts.id });
  if (changed.length === 0) return false;
  await recordAudit(tx, { ...audit, action: 'account.password', subject, detail: { isVoid: true } });
  return true;
}

/**
 * After a restore, ends all sessions and repeats the noted ends of access that the database lacks: tokens are revoked,
 * accounts removed or given their later role, and a password that was replaced later is void. A second call repeats
 * nothing.
 */
export function restoreAccess(
  db: Queryable,
  { changes, now }: { changes: readonly NotedAccessChange[]; now: Date },
): Promise<RestoredAccess> {
  return db.transaction(async (tx) => {
    const sessions = await endSessions(tx);
    const repeated: AccessChangeRow['kind'][] = [];
    for (const change of await adoptAccessChanges(tx, changes, kinds))
      if (await repeatChange(tx, change, now)) repeated.push(change.kind);
    const times = (kind: AccessChangeRow['kind']): number => repeated.filter((of) => of === kind).length;
    return {
      sessions,
      tokens: times('token-revoked'),
      accounts: times('account-removed'),
      roles: times('role-changed'),
      passwords: times('password-changed'),
    };
  });
}

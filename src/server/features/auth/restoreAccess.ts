import { and, eq, isNull, ne } from 'drizzle-orm';
import type { AuditAction } from '#shared/admin/audit.ts';
import type { Queryable } from '#server/db/connect.ts';
import {
  type AccessChangeRow,
  apiTokens,
  secondFactors,
  staffAccounts,
  staffIdentities,
  staffInvitations,
  staffSessions,
} from '#server/db/schema/index.ts';
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
  /** Accounts without the second factor that they had. */
  secondFactors: number;
  /** Accounts that single sign-on no longer knows. */
  identities: number;
}

const kinds = [
  'token-revoked',
  'account-removed',
  'password-changed',
  'role-changed',
  'second-factor-removed',
  'identity-removed',
] as const;

interface MadeChange {
  action: AuditAction;
  /** Rows that changed: 0 if the database had the change. */
  count: number;
  detail?: object;
}

async function makeChange(
  tx: Queryable,
  { kind, targetId: id, role }: AccessChangeRow,
  now: Date,
): Promise<MadeChange> {
  const own = eq(staffAccounts.id, id);
  if (kind === 'token-revoked') {
    const open = and(eq(apiTokens.id, id), isNull(apiTokens.revokedAt));
    const { count } = await tx.update(apiTokens).set({ revokedAt: now }).where(open);
    return { action: 'token.revoke', count };
  }
  if (kind === 'account-removed') {
    const { count } = await tx.delete(staffAccounts).where(own);
    return { action: 'account.remove', count };
  }
  if (kind === 'role-changed') {
    if (role === null) return { action: 'account.role', count: 0 };
    const other = and(own, ne(staffAccounts.role, role));
    const { count } = await tx.update(staffAccounts).set({ role }).where(other);
    return { action: 'account.role', count, detail: { role } };
  }
  if (kind === 'second-factor-removed') {
    const { count } = await tx.delete(secondFactors).where(eq(secondFactors.id, id));
    return { action: 'second-factor.reset', count };
  }
  if (kind === 'identity-removed') {
    const { count } = await tx.delete(staffIdentities).where(eq(staffIdentities.accountId, id));
    return { action: 'account.unlink', count };
  }
  const valid = and(own, isNull(staffAccounts.passwordVoidAt));
  const { count } = await tx.update(staffAccounts).set({ passwordVoidAt: now }).where(valid);
  return { action: 'account.password', count, detail: { isVoid: true } };
}

/** Returns whether the database lacked the change. */
async function repeatChange(tx: Queryable, change: AccessChangeRow, now: Date): Promise<boolean> {
  const { count, ...entry } = await makeChange(tx, change, now);
  const subject = { kind: change.kind === 'token-revoked' ? 'token' : 'account', id: change.targetId };
  if (count > 0) await recordAudit(tx, { actor, ip: null, subject, ...entry });
  return count > 0;
}

/**
 * After a restore, ends all sessions and invitations and repeats the noted ends of access: revokes tokens, removes
 * accounts or sets their later role, voids passwords and removes second factors replaced later, and unlinks single
 * sign-on. A second call repeats nothing.
 */
export function restoreAccess(
  db: Queryable,
  { changes, now }: { changes: readonly NotedAccessChange[]; now: Date },
): Promise<RestoredAccess> {
  return db.transaction(async (tx) => {
    const { count: sessions } = await tx.delete(staffSessions);
    // An owner may have withdrawn them since.
    await tx.delete(staffInvitations);
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
      secondFactors: times('second-factor-removed'),
      identities: times('identity-removed'),
    };
  });
}

import { and, eq, isNull } from 'drizzle-orm';
import type { Queryable } from '#server/db/connect.ts';
import { type AccessChangeRow, apiTokens, staffAccounts, staffSessions } from '#server/db/schema/index.ts';
import { recordAudit } from '../audit/audit.ts';
import { adoptAccessChange } from '../ledger/accessChanges.ts';
import type { NotedAccessChange } from '../ledger/ledgerNotes.ts';

const actor = { kind: 'command', name: 'npm run restore' } as const;

/** What a restored database lost again. */
export interface RestoredAccess {
  sessions: number;
  tokens: number;
  accounts: number;
  /** Accounts whose password is void. */
  passwords: number;
}

/** Ends every session. Returns how many. */
async function endSessions(tx: Queryable): Promise<number> {
  return (await tx.delete(staffSessions)).count;
}

async function repeatChange(
  tx: Queryable,
  { kind, id }: { kind: AccessChangeRow['kind']; id: number },
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
 * accounts removed, and a password that was replaced later is void. A second call repeats nothing.
 */
export function restoreAccess(
  db: Queryable,
  { changes, now }: { changes: readonly NotedAccessChange[]; now: Date },
): Promise<RestoredAccess> {
  return db.transaction(async (tx) => {
    const restored: RestoredAccess = {
      sessions: await endSessions(tx),
      tokens: 0,
      accounts: 0,
      passwords: 0,
    };
    for (const change of changes) {
      const kind = await adoptAccessChange(tx, change);
      if (kind === null || !(await repeatChange(tx, { kind, id: change.subject }, now))) continue;
      if (kind === 'token-revoked') restored.tokens += 1;
      else if (kind === 'account-removed') restored.accounts += 1;
      else restored.passwords += 1;
    }
    return restored;
  });
}

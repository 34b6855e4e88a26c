import type { LedgerConfig } from '#server/config/ledger.ts';
import { max } from 'drizzle-orm';
import { connect, type Database } from '#server/db/connect.ts';
import { auditLog } from '#server/db/schema/index.ts';
import { type RestoredAccess, restoreAccess } from '#server/features/auth/restoreAccess.ts';
import { type LedgerNotes, readNotes } from '#server/features/ledger/ledgerNotes.ts';
import { openLedgerTarget } from '#server/features/ledger/ledgerTarget.ts';
import { moveAfterRestore, moveBehind } from '#server/features/ledger/numberSequences.ts';
import { createDataKeys } from '#server/security/dataKeys.ts';

interface AfterOptions {
  url: string;
  secretKeys: readonly string[];
  /** Null: there is none, or it isn't asked. */
  ledger: LedgerConfig | null;
}

/** What a restored database was changed by, besides the ledger's entries. */
export interface AfterRestore extends RestoredAccess {
  /** When the notes were written; null: there are none. */
  notedAt: string | null;
  /** Sequences that moved. */
  moved: number;
  /** Null: no entry of the audit log was shipped. */
  audit: RestoredAudit | null;
}

/** The last entry of the audit log that was shipped, and the last one that the backup has. */
export interface RestoredAudit {
  shipped: number;
  restored: number;
  /** Whether the numbers of entries moved beyond the shipped ones. */
  isMoved: boolean;
}

const auditSequence = 'audit_log_id_seq';

/**
 * Before a replay, whose own entries follow: lets the audit log continue beyond the entries that were shipped, and says
 * which of them the backup lacks. Null if none was shipped. Throws as `finishRestore` does.
 */
export async function continueAuditLog({
  url,
  secretKeys,
  ledger,
}: AfterOptions): Promise<RestoredAudit | null> {
  if (ledger === null) return null;
  const { db, close } = connect(url, { applicationName: 'clinic-leads-replay', max: 2 });
  try {
    const notes = await readNotes(openLedgerTarget(ledger), createDataKeys({ db, secretKeys }));
    if (notes?.audit === undefined) return null;
    const restored = await lastAuditId(db);
    const number = notes.numbers[auditSequence] ?? notes.audit.id;
    const moved = await moveBehind(db, { [auditSequence]: number });
    return { shipped: notes.audit.id, restored, isMoved: moved.length > 0 };
  } finally {
    await close();
  }
}

/**
 * Moves the sequences of the restored database at `url` beyond the numbers that were given, ends all sessions, and
 * repeats the noted ends of access. A second call repeats
 * none of these, but ends new sessions, and moves the sequences again if later numbers were noted. Throws LedgerConflict for
 * notes of another database, and other errors if they can't be read.
 */
export async function finishRestore(
  { url, secretKeys, ledger }: AfterOptions,
  audit: RestoredAudit | null = null,
): Promise<AfterRestore> {
  const { db, close } = connect(url, { applicationName: 'clinic-leads-replay', max: 2 });
  try {
    const now = new Date();
    const notes: LedgerNotes | null =
      ledger === null ? null : await readNotes(openLedgerTarget(ledger), createDataKeys({ db, secretKeys }));
    const moved = await moveAfterRestore(db, { noted: notes?.numbers ?? null, now });
    const access = await restoreAccess(db, { changes: notes?.access ?? [], now });
    return {
      ...access,
      notedAt: notes?.at ?? null,
      moved: moved.length + (audit?.isMoved === true ? 1 : 0),
      audit,
    };
  } finally {
    await close();
  }
}

/** The last entry of before the restore, whose own entries follow. 0: the log is empty. */
async function lastAuditId(db: Database): Promise<number> {
  const [last] = await db.select({ id: max(auditLog.id) }).from(auditLog);
  return last?.id ?? 0;
}

/** What it did, and what an operator must do. */
export function afterLines({
  notedAt,
  moved,
  sessions,
  tokens,
  accounts,
  passwords,
  audit,
}: AfterRestore): string[] {
  return [
    notedAt === null
      ? `No numbers were noted: new ones continue more than 1,000,000 beyond the highest (sequences moved: ${moved}). Tokens and accounts are as in the backup: revoke and remove those that ended since.`
      : `Numbers were noted until ${notedAt}: new ones continue 100,000 beyond them (sequences moved: ${moved}).`,
    `Sessions ended: ${sessions}. Tokens revoked again: ${tokens}, accounts removed again: ${accounts}, accounts that need a new password: ${passwords}.`,
    ...(audit === null || audit.shipped <= audit.restored
      ? []
      : [
          `The audit log of the backup ends with entry ${audit.restored}. Its entries up to ${audit.shipped} are beside the erasure ledger, in batches named audit-….json: keep them.`,
        ]),
    ...(passwords === 0
      ? []
      : ['Owners set new passwords in the dashboard. For an owner: npm run account -- password <email>.']),
  ];
}

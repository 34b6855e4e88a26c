import type { LedgerConfig } from '#server/config/ledger.ts';
import { connect } from '#server/db/connect.ts';
import { type RestoredAccess, restoreAccess } from '#server/features/auth/restoreAccess.ts';
import { type LedgerNotes, readNotes } from '#server/features/ledger/ledgerNotes.ts';
import { openLedgerTarget } from '#server/features/ledger/ledgerTarget.ts';
import { moveAfterRestore } from '#server/features/ledger/numberSequences.ts';
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
}

/**
 * Moves the sequences of the restored database at `url` beyond the numbers that were given, ends all sessions, and
 * repeats the noted ends of access. A second call repeats
 * none of these, but ends new sessions, and moves the sequences again if later numbers were noted. Throws LedgerConflict for
 * notes of another database, and other errors if they can't be read.
 */
export async function finishRestore({ url, secretKeys, ledger }: AfterOptions): Promise<AfterRestore> {
  const { db, close } = connect(url, { applicationName: 'clinic-leads-replay', max: 2 });
  try {
    const now = new Date();
    const notes: LedgerNotes | null =
      ledger === null ? null : await readNotes(openLedgerTarget(ledger), createDataKeys({ db, secretKeys }));
    const moved = await moveAfterRestore(db, { noted: notes?.numbers ?? null, now });
    const access = await restoreAccess(db, { changes: notes?.access ?? [], now });
    return { ...access, notedAt: notes?.at ?? null, moved: moved.length };
  } finally {
    await close();
  }
}

/** What it did, and what an operator must do. */
export function afterLines({
  notedAt,
  moved,
  sessions,
  tokens,
  accounts,
  passwords,
}: AfterRestore): string[] {
  return [
    notedAt === null
      ? `No numbers were noted: new ones continue more than 1,000,000 beyond the highest (sequences moved: ${moved}). Tokens and accounts are as in the backup: revoke and remove those that ended since.`
      : `Numbers were noted until ${notedAt}: new ones continue 100,000 beyond them (sequences moved: ${moved}).`,
    `Sessions ended: ${sessions}. Tokens revoked again: ${tokens}, accounts removed again: ${accounts}, accounts that need a new password: ${passwords}.`,
    ...(passwords === 0
      ? []
      : ['Owners set new passwords in the dashboard. For an owner: npm run account -- password <email>.']),
  ];
}

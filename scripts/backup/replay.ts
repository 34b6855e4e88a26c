import type { LedgerConfig } from '#server/config/ledger.ts';
import { connect } from '#server/db/connect.ts';
import { type Replayed, replayEntries } from '#server/features/erasure/replayLedger.ts';
import { followingEntries, readLedgerPosition } from '#server/features/ledger/ledgerReplay.ts';
import { openLedgerTarget } from '#server/features/ledger/objectLedger.ts';
import { createDataKeys } from '#server/security/dataKeys.ts';

interface ReplayOptions {
  url: string;
  secretKeys: readonly string[];
  ledger: LedgerConfig;
}

/** A replay and where it ended. */
export interface ReplayReport extends Replayed {
  entries: number;
  /** The last entry of the ledger; 0 if it is empty. */
  sequence: number;
  at: string | null;
}

/**
 * Repeats in the database at `url` what the shipped ledger has and the database lacks. Reads the whole ledger before
 * anything is changed. Throws LedgerConflict if it doesn't continue the database, and other errors if it can't be read.
 */
export async function replayLedger({ url, secretKeys, ledger }: ReplayOptions): Promise<ReplayReport> {
  const { db, close } = connect(url, { applicationName: 'clinic-leads-replay', max: 2 });
  try {
    const dataKeys = createDataKeys({ db, secretKeys });
    const position = await readLedgerPosition(db);
    const stored = await openLedgerTarget(ledger).read(Math.max(position.sequence, 1));
    const entries = await followingEntries(stored, position, dataKeys);
    const now = (): Date => new Date();
    const replayed = await replayEntries({ db, dataKeys, now }, entries);
    const last = entries.at(-1);
    return {
      ...replayed,
      entries: entries.length,
      sequence: last?.sequence ?? position.sequence,
      at: last?.at ?? position.at?.toISOString() ?? null,
    };
  } finally {
    await close();
  }
}

/** What a replay did, and which time it says nothing about. */
export function replayLines(report: ReplayReport): string[] {
  const { entries, known, erasures, leads, suppressions, lifts, sequence, at } = report;
  return [
    `Entries of the erasure ledger since the backup: ${entries}. Repeated: erasures ${erasures} (leads ${leads}), suppressions ${suppressions}, lifts ${lifts}. In the database already: ${known}.`,
    at === null
      ? 'The ledger is empty. Erasures and suppressions that were not shipped before the database was lost are unknown.'
      : `The ledger ends with entry ${sequence} of ${at}. Erasures and suppressions after that time that were not shipped before the database was lost are unknown: ask owners and look into their mail.`,
  ];
}

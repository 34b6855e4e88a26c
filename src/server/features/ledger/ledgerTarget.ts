import type { LedgerConfig } from '#server/config/ledger.ts';
import { openFileLedger } from './fileLedger.ts';
import { openObjectLedger } from './objectLedger.ts';
import type { LedgerTarget } from './ledgerEntry.ts';

/** Opens the configured place. */
export function openLedgerTarget(config: LedgerConfig): LedgerTarget {
  return config.kind === 'file' ? openFileLedger(config.path) : openObjectLedger(config);
}

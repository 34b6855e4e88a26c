/** The ledger and the database don't belong together. The message says what to do. */
export class LedgerConflict extends Error {
  override readonly name = 'LedgerConflict';
}

/** The place has another entry with this number. */
export function takenNumber(sequence: number): LedgerConflict {
  return new LedgerConflict(
    `The erasure ledger already has another entry ${sequence}: this database was restored and the ledger was not replayed, or two installations share it. Run npm run restore -- --replay-only.`,
  );
}

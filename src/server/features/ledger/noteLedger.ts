import { isDeepStrictEqual } from 'node:util';
import { minuteMs } from '#shared/formats/time.ts';
import { advisoryLocks, tryAdvisoryLock } from '#server/db/advisoryLocks.ts';
import type { Database, Queryable } from '#server/db/connect.ts';
import type { Services } from '#server/services.ts';
import { shipAuditLog } from './auditBatches.ts';
import { hasUnnotedChange, listAccessChanges, markNoted } from './accessChanges.ts';
import { formatNotes, type LedgerNotes, readNotes } from './ledgerNotes.ts';
import type { LedgerTarget } from './ledgerEntry.ts';
import { openLedgerTarget } from './objectLedger.ts';
import { moveBehind, readNumbers } from './numberSequences.ts';

type NoteServices = Pick<Services, 'dataKeys' | 'log' | 'now'> & {
  db: Database;
  target: LedgerTarget;
  /** Whether the audit log is shipped there too. */
  shipsAudit?: boolean;
};

/** What both say: nothing that was noted is forgotten, also by a database that was restored. */
function mergedNotes(stored: LedgerNotes | null, own: LedgerNotes): LedgerNotes {
  if (stored === null) return own;
  const names = new Set([...Object.keys(stored.numbers), ...Object.keys(own.numbers)]);
  const numbers = [...names]
    .toSorted()
    .map((name) => [name, Math.max(stored.numbers[name] ?? 0, own.numbers[name] ?? 0)]);
  // Version 1.0.1, after a rollback, notes less of a change.
  const byId = new Map(stored.access.map((change) => [change.id, change]));
  for (const change of own.access) byId.set(change.id, { ...byId.get(change.id), ...change });
  const access = [...byId.values()];
  return { ...stored, ...own, numbers: Object.fromEntries(numbers), access };
}

/** Moves sequences that are behind their noted numbers. The log has their names: the database was restored. */
async function catchUp(
  { db, log }: { db: Queryable; log: Services['log'] },
  { numbers }: LedgerNotes,
): Promise<void> {
  const moved = await moveBehind(db, numbers);
  if (moved.length > 0)
    log.warn(
      { event: 'ledger.numbers-moved', sequences: moved },
      'the database is behind the ledger’s notes: it was restored, so new numbers continue beyond those that were given; run npm run restore -- --replay-only',
    );
}

/**
 * Notes beside the ledger the highest number of every sequence, and whose access ended, after moving sequences that are
 * behind. One process at a time: another returns. With `shipsAudit`, ships the audit log first, up to where the notes
 * then say. Returns whether it wrote something. Throws what `readNotes` and the place throw.
 */
export async function noteLedger(services: NoteServices): Promise<boolean> {
  const { db, dataKeys, log, target, now, shipsAudit = false } = services;
  // Before the transaction, whose connection would wait for a second one: a pooler may have few.
  const key = await dataKeys.current('erasure-ledger');
  return db.transaction(async (tx) => {
    if (!(await tryAdvisoryLock(tx, advisoryLocks.noteLedger))) return false;
    const stored = await readNotes(target, dataKeys);
    if (stored !== null) await catchUp({ db: tx, log }, stored);
    const access = await listAccessChanges(tx);
    const numbers = await readNumbers(tx);
    const audit = shipsAudit
      ? await shipAuditLog({ db: tx, key, target, now: now() }, stored?.audit ?? null)
      : stored?.audit;
    const notes = mergedNotes(stored, {
      ...{ format: 1, at: now().toISOString(), numbers, access },
      ...(audit === undefined ? {} : { audit }),
    });
    const isNew = stored === null || !isDeepStrictEqual({ ...stored, at: notes.at }, notes);
    if (isNew) await target.writeNotes(formatNotes(key, notes), { isFirst: stored === null });
    await markNoted(
      tx,
      access.map(({ id }) => id),
    );
    return isNew;
  });
}

interface NoterOptions extends Omit<NoteServices, 'target'> {
  /** Null: nothing is noted. */
  target: LedgerTarget | null;
}

/** The periodic work of a worker: notes each minute, and when somebody's access has ended. */
export function createLedgerNoter({ target, ...services }: NoterOptions): () => Promise<void> {
  let nextAtMs = 0;
  return async () => {
    if (target === null) return;
    const nowMs = services.now().getTime();
    if (nowMs < nextAtMs && !(await hasUnnotedChange(services.db))) return;
    // Also after a failure: the place is asked once a minute.
    nextAtMs = nowMs + minuteMs;
    await noteLedger({ ...services, target });
  };
}

/** A start doesn't wait longer for the place. */
const startMaxMs = 5_000;

/**
 * At the start of a process: if the notes are ahead of the database, it was restored, and its sequences move. Nothing
 * else changes. If the place can't be read in five seconds, the start continues, and a worker moves them later.
 */
export async function continueNumbers(
  services: Pick<Services, 'config' | 'db' | 'dataKeys' | 'log'>,
): Promise<void> {
  const { config, db, dataKeys, log } = services;
  if (config.ledger === null) return;
  const target = openLedgerTarget(config.ledger);
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error('the place did not answer in time')), startMaxMs).unref();
  });
  try {
    const notes = await Promise.race([readNotes(target, dataKeys), late]);
    if (notes !== null) await catchUp({ db, log }, notes);
  } catch (error) {
    log.warn(
      { event: 'ledger.notes-unread', err: error },
      'the notes of the erasure ledger could not be read; a worker reads them later',
    );
  }
}

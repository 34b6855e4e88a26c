import type { LedgerConfig } from '#server/config/ledger.ts';
import { max } from 'drizzle-orm';
import { connect, type Database } from '#server/db/connect.ts';
import { auditLog } from '#server/db/schema/index.ts';
import { type RestoredAccess, restoreAccess } from '#server/features/auth/restoreAccess.ts';
import { type RestoredProviders, restoredProviders } from '#server/features/providers/restoredProviders.ts';
import { type RestoredEndpoints, restoreEndpoints } from '#server/features/webhooks/restoreEndpoints.ts';
import { type LedgerNotes, readNotes } from '#server/features/ledger/ledgerNotes.ts';
import { openLedgerTarget } from '#server/features/ledger/objectLedger.ts';
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
  endpoints: RestoredEndpoints;
  providers: RestoredProviders;
}

/** The last entry of the audit log that was shipped, and the last one that the backup has. */
interface RestoredAudit {
  shipped: number;
  restored: number;
}

const auditSequence = 'audit_log_id_seq';

interface ContinuedAudit {
  audit: RestoredAudit | null;
  moved: number;
}

/** Lets the audit log continue beyond the entries that were shipped, and says which of them the backup lacks. */
async function continueAuditLog(db: Database, notes: LedgerNotes | null): Promise<ContinuedAudit> {
  if (notes?.audit === undefined) return { audit: null, moved: 0 };
  const restored = await lastAuditId(db);
  const number = notes.numbers[auditSequence] ?? notes.audit.id;
  const moved = await moveBehind(db, { [auditSequence]: number });
  return { audit: { shipped: notes.audit.id, restored }, moved: moved.length };
}

/**
 * Ends all sessions of the restored database at `url`, moves its sequences beyond the numbers that were given, and
 * repeats the noted ends of access. It comes before the replay of the ledger, which may be refused, and writes entries.
 * A second call repeats none of these, but ends new sessions, and moves the sequences again if later numbers were
 * noted. Throws LedgerConflict for notes of another database, and other errors if they can't be read: sessions are
 * ended also then.
 */
export async function finishRestore({ url, secretKeys, ledger }: AfterOptions): Promise<AfterRestore> {
  const { db, close } = connect(url, { applicationName: 'clinic-leads-replay', max: 2 });
  try {
    const now = new Date();
    const { sessions } = await restoreAccess(db, { changes: [], now });
    const notes: LedgerNotes | null =
      ledger === null ? null : await readNotes(openLedgerTarget(ledger), createDataKeys({ db, secretKeys }));
    const { audit, moved } = await continueAuditLog(db, notes);
    const others = await moveAfterRestore(db, { noted: notes?.numbers ?? null, now });
    const changes = notes?.access ?? [];
    return {
      ...(await restoreAccess(db, { changes, now })),
      sessions,
      endpoints: await restoreEndpoints(db, { changes, now }),
      providers: await restoredProviders(db, changes),
      notedAt: notes?.at ?? null,
      moved: others.length + moved,
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

/** What receives leads as in the backup, for somebody to check. */
function receiverLines({ endpoints, providers, notedAt }: AfterRestore): string[] {
  const { removed, off, on } = endpoints;
  const { named, others } = providers;
  const more = others === null ? ['many others'] : others > 0 ? [`${others} others`] : [];
  return [
    ...(removed.length === 0 ? [] : [`Webhook endpoints removed again: ${removed.join(', ')}.`]),
    ...(off.length === 0
      ? []
      : [
          `Webhook endpoints switched off, because they were switched off or changed since: ${off.join(', ')}. Enter their settings again, then switch them on and replay their events.`,
        ]),
    ...(on.length === 0
      ? []
      : [
          `Webhook endpoints that are on as in the backup: ${on.join(', ')}. Remove those that must not receive events${notedAt === null ? '' : ' any more'}.`,
        ]),
    ...(named.length + more.length === 0
      ? []
      : [
          `Providers whose email address, domain, status or CRM key changed since, and is that of the backup: ${[...named, ...more].join(', ')}. Before you start the product, run npm run sync-providers or enter them again: leads go to the former address.`,
        ]),
  ];
}

/** What it did, and what an operator must do. */
export function afterLines(restored: AfterRestore): string[] {
  const { notedAt, moved, sessions, tokens, accounts, roles, passwords, audit } = restored;
  const { secondFactors, identities } = restored;
  return [
    notedAt === null
      ? `No numbers were noted: new ones continue more than 1,000,000 beyond the highest (sequences moved: ${moved}). Tokens, accounts, roles, two-factor sign-in, webhook endpoints and providers’ addresses are as in the backup: revoke and remove those that ended since.`
      : `Numbers were noted until ${notedAt}: new ones continue 100,000 beyond them (sequences moved: ${moved}).`,
    `Sessions ended: ${sessions}. Tokens revoked again: ${tokens}, accounts removed again: ${accounts}, roles changed again: ${roles}, accounts that need a new password: ${passwords}, two-factor sign-in removed again: ${secondFactors}, single sign-on unlinked again: ${identities}.`,
    ...receiverLines(restored),
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

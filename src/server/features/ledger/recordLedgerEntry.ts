import { and, inArray, isNotNull } from 'drizzle-orm';
import type { ErasureReason } from '#shared/admin/erasure.ts';
import type { SuppressionReason, WithdrawalWay } from '#shared/leads/suppression.ts';
import type { Queryable } from '#server/db/connect.ts';
import { consentRecords, erasureLedger, leads, type LedgerRow } from '#server/db/schema/index.ts';
import { type IdentityKind, listIdentities, type Person } from '../identity/identity.ts';
import { identityHash, type MailboxHashes } from '../identity/identityHashes.ts';
import { getMailbox } from '../identity/mailbox.ts';
import type { LedgerEntry } from './ledgerEntry.ts';

interface NewEntry {
  kind: LedgerRow['kind'];
  person: Partial<Person>;
  /** Of `dataKeys.current('identity')`. */
  identityKey: Buffer;
  /** For an erasure, call this before the leads get new public ids. */
  leadIds: readonly number[];
  at: Date;
  reason?: SuppressionReason | ErasureReason | undefined;
  how?: WithdrawalWay | undefined;
}

type LedgerInsert = typeof erasureLedger.$inferInsert;
type HashedEntry = Required<Pick<LedgerInsert, 'kind' | 'at' | 'leadPublicIds' | 'emailHmac' | 'phoneHmac'>> &
  Pick<LedgerInsert, 'reason' | 'how'>;

/** Records an entry about a person of whom only hashes and the public ids of leads are known. */
export async function recordHashedEntry(tx: Queryable, entry: HashedEntry): Promise<void> {
  await tx.insert(erasureLedger).values(entry);
}

/**
 * Records that the mailbox of a listed email address has another spelling. Earlier versions read the entry as a lift
 * that names nobody, and so change nothing; a kind of its own would end their restore.
 */
export async function recordMailbox(
  tx: Queryable,
  { emailHmac, mailboxHmac }: MailboxHashes,
  at: Date,
): Promise<void> {
  const reason = `mailbox ${emailHmac} ${mailboxHmac}`;
  await recordHashedEntry(tx, {
    ...{ kind: 'suppression-lifted' as const, at, leadPublicIds: [], reason },
    ...{ emailHmac: null, phoneHmac: null },
  });
}

/**
 * Records in the transaction of an erasure, a suppression or its lift what a restored backup must repeat. Call it after
 * the person's rows are locked, so that the entries of a person are in the order of the changes.
 */
export async function recordLedgerEntry(
  tx: Queryable,
  { kind, person, identityKey, leadIds, at, reason, how }: NewEntry,
): Promise<void> {
  const hash = (of: IdentityKind, value: string): string => identityHash(identityKey, of, value);
  const hmacs = new Map(listIdentities(person).map((of) => [of.kind, hash(of.kind, of.value)]));
  const { emailNorm } = person;
  await recordHashedEntry(tx, {
    ...{ kind, at, reason, how },
    ...{ emailHmac: hmacs.get('email') ?? null, phoneHmac: hmacs.get('phone') ?? null },
    leadPublicIds: await listPublicIds(tx, leadIds),
  });
  if (emailNorm === undefined || kind === 'suppression-lifted') return;
  const mailbox = getMailbox(emailNorm);
  if (mailbox === emailNorm) return;
  const [emailHmac, mailboxHmac] = [hash('email', emailNorm), hash('email', mailbox)];
  await recordMailbox(tx, { emailHmac, mailboxHmac }, at);
}

/** Of leads, purged ones included if their evidence names them. */
async function listPublicIds(tx: Queryable, leadIds: readonly number[]): Promise<string[]> {
  if (leadIds.length === 0) return [];
  const ids = [...leadIds];
  const rows = await tx.select({ publicId: leads.publicId }).from(leads).where(inArray(leads.id, ids));
  const records = await tx
    .select({ publicId: consentRecords.leadPublicId })
    .from(consentRecords)
    .where(and(inArray(consentRecords.leadId, ids), isNotNull(consentRecords.leadPublicId)));
  const found = [...rows, ...records].flatMap(({ publicId }) => publicId ?? []);
  return [...new Set(found)].toSorted();
}

const pattern = /^mailbox ([0-9a-f]{64}) ([0-9a-f]{64})$/;

/** What an entry of `recordMailbox` says; null for any other. */
export function readMailboxNote(
  entry: Pick<LedgerEntry, 'kind' | 'email' | 'phone' | 'reason'>,
): MailboxHashes | null {
  const { kind, email, phone, reason } = entry;
  if (kind !== 'suppression-lifted' || email !== null || phone !== null) return null;
  const [, emailHmac, mailboxHmac] = pattern.exec(reason ?? '') ?? [];
  return emailHmac === undefined || mailboxHmac === undefined ? null : { emailHmac, mailboxHmac };
}

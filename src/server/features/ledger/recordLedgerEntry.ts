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

type HashedEntry = Pick<NewEntry, 'kind' | 'at' | 'how'> & {
  /** One of `NewEntry`, or that of a mailbox. */
  reason?: string | undefined;
  /** Keyed hashes, as in `suppressions`. */
  email: string | null;
  phone: string | null;
  leads: string[];
};

/** Records an entry about a person of whom only hashes and the public ids of leads are known. */
export async function recordHashedEntry(
  tx: Queryable,
  { kind, at, email, phone, leads: leadPublicIds, reason, how }: HashedEntry,
): Promise<void> {
  await tx.insert(erasureLedger).values({
    ...{ kind, at, leadPublicIds, emailHmac: email, phoneHmac: phone },
    ...{ reason: reason ?? null, how: how ?? null },
  });
}

/** Records that the mailbox of a listed email address has another spelling. */
export async function recordMailbox(tx: Queryable, hashes: MailboxHashes, at: Date): Promise<void> {
  const nobody = { email: null, phone: null, leads: [] };
  await recordHashedEntry(tx, {
    ...{ kind: 'suppression-lifted', at, ...nobody },
    ...{ reason: formatMailboxNote(hashes), how: undefined },
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
  await recordHashedEntry(tx, {
    ...{ kind, at, email: hmacs.get('email') ?? null, phone: hmacs.get('phone') ?? null },
    ...{ leads: await listPublicIds(tx, leadIds), reason, how },
  });
  const { emailNorm } = person;
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

/**
 * The reason of an entry that only says the mailbox of a listed email address. Earlier versions read it as a lift that
 * names nobody, and so change nothing; a kind of its own would end their restore.
 */
function formatMailboxNote({ emailHmac, mailboxHmac }: MailboxHashes): string {
  return `mailbox ${emailHmac} ${mailboxHmac}`;
}

/** What such an entry says; null for any other. */
export function readMailboxNote({
  kind,
  email,
  phone,
  reason,
}: Pick<LedgerEntry, 'kind' | 'email' | 'phone' | 'reason'>): MailboxHashes | null {
  if (kind !== 'suppression-lifted' || email !== null || phone !== null) return null;
  const [, emailHmac, mailboxHmac] = pattern.exec(reason ?? '') ?? [];
  return emailHmac === undefined || mailboxHmac === undefined ? null : { emailHmac, mailboxHmac };
}

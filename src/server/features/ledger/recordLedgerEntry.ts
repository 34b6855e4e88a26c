import { and, inArray, isNotNull } from 'drizzle-orm';
import type { ErasureReason } from '#shared/admin/erasure.ts';
import type { SuppressionReason, WithdrawalWay } from '#shared/leads/suppression.ts';
import type { Queryable } from '#server/db/connect.ts';
import { consentRecords, erasureLedger, leads, type LedgerRow } from '#server/db/schema/index.ts';
import { identitiesOf, type Person } from '../identity/identity.ts';
import { identityHash } from '../identity/identityHashes.ts';

interface NewEntry {
  kind: LedgerRow['kind'];
  person: Partial<Person>;
  /** Of `dataKeys.current('identity')`. */
  identityKey: Buffer;
  /** For an erasure, call this before the leads get new public ids. */
  leadIds: readonly number[];
  at: Date;
  reason?: SuppressionReason | ErasureReason;
  how?: WithdrawalWay;
}

/**
 * Records in the transaction of an erasure, a suppression or its lift what a restored backup must repeat. Call it after
 * the person's rows are locked, so that the entries of a person are in the order of the changes.
 */
export async function recordLedgerEntry(
  tx: Queryable,
  { kind, person, identityKey, leadIds, at, reason, how }: NewEntry,
): Promise<void> {
  const hmacs = new Map(
    identitiesOf(person).map((of) => [of.kind, identityHash(identityKey, of.kind, of.value)]),
  );
  await tx.insert(erasureLedger).values({
    kind,
    at,
    emailHmac: hmacs.get('email') ?? null,
    phoneHmac: hmacs.get('phone') ?? null,
    leadPublicIds: await publicIdsOf(tx, leadIds),
    reason: reason ?? null,
    how: how ?? null,
  });
}

/** Of leads, purged ones included if their evidence names them. */
async function publicIdsOf(tx: Queryable, leadIds: readonly number[]): Promise<string[]> {
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

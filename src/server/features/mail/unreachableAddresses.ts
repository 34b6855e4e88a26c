import { inArray, lt, eq } from 'drizzle-orm';
import type { UnreachableCause } from '#shared/admin/adminLeads.ts';
import type { DataKeys } from '#server/security/dataKeys.ts';
import { dayMs } from '#shared/formats/time.ts';
import type { Database, Queryable } from '#server/db/connect.ts';
import { purgeRows } from '#server/db/purgeRows.ts';
import { unreachableAddresses, recipientEmails } from '#server/db/schema/index.ts';
import { recipientHash, recipientHashes, mailboxHash } from '../identity/identityHashes.ts';
import { getMailbox, untaggedEmail } from '../identity/mailbox.ts';
import { firstMailbox } from '../identity/normalForms.ts';

/** Owners of addresses change and mailboxes are repaired: after a year, sending is tried again. */
const keptMs = 365 * dayMs;

/** Why no automatic message is sent to an address, for staff. */
export const unreachableReasons: Readonly<Record<UnreachableCause, string>> = {
  bounce: 'An earlier email to this address bounced.',
  complaint: 'The recipient reported an earlier email as spam.',
};

/** Why no automatic message is sent to these addresses. Omits others. Throws if no secret opens the identity key. */
export async function listUnreachable(
  { db, dataKeys }: { db: Database; dataKeys: DataKeys },
  addresses: readonly string[],
): Promise<Map<string, UnreachableCause>> {
  if (addresses.length === 0) return new Map();
  const { key } = await dataKeys.current('identity');
  const hashes = new Map(addresses.map((address) => [address, recipientHashes(key, address)]));
  const rows = await db
    .select({ hash: unreachableAddresses.recipientHmac, cause: unreachableAddresses.cause })
    .from(unreachableAddresses)
    .where(inArray(unreachableAddresses.recipientHmac, [...new Set([...hashes.values()].flat())]));
  const causes = new Map(rows.map(({ hash, cause }) => [hash, cause]));
  return new Map(
    [...hashes].flatMap(([address, forms]) => {
      const cause = forms.map((hash) => causes.get(hash)).find((known) => known !== undefined);
      return cause === undefined ? [] : [[address, cause]];
    }),
  );
}

/** Why no automatic message is sent to this address; null if one may be sent. */
export async function findUnreachable(
  services: { db: Database; dataKeys: DataKeys },
  address: string,
): Promise<UnreachableCause | null> {
  return (await listUnreachable(services, [address])).get(address) ?? null;
}

/** Stores that an address bounced or complained. The latest counts. */
export async function storeUnreachable(
  tx: Queryable,
  mark: { address: string; cause: UnreachableCause; identityKey: Buffer; now: Date },
): Promise<void> {
  const { address, cause, identityKey, now } = mark;
  await tx
    .insert(unreachableAddresses)
    .values({ recipientHmac: recipientHash(identityKey, address), cause, at: now })
    .onConflictDoUpdate({ target: unreachableAddresses.recipientHmac, set: { cause, at: now } });
}

/** Ends that an address counts as unreachable. */
export async function forgetUnreachable(
  tx: Queryable,
  { address, identityKey }: { address: string; identityKey: Buffer },
): Promise<void> {
  await tx
    .delete(unreachableAddresses)
    .where(inArray(unreachableAddresses.recipientHmac, recipientHashes(identityKey, address)));
}

/** Deletes a batch of entries older than a year. Returns how many. */
export function purgeUnreachable(db: Queryable, now: Date): Promise<number> {
  const { recipientHmac, at } = unreachableAddresses;
  return purgeRows(db, recipientHmac, lt(at, new Date(now.getTime() - keptMs)));
}

/** Pairs of an earlier form and the current one, each once, where they differ. */
function changedForms(pairs: readonly (readonly [string, string])[]): Map<string, string> {
  return new Map(pairs.filter(([before, after]) => before !== after));
}

/** Marks the unreachable addresses of 1.0.0 in the current form, and moves the mailbox counts of 1.0.0 and 1.0.1. */
export async function copyMailboxes(
  tx: Queryable,
  identityKey: Buffer,
  addresses: readonly string[],
): Promise<void> {
  const marked = changedForms(addresses.map((email) => [firstMailbox(email), untaggedEmail(email)] as const));
  for (const [first, current] of marked) {
    const [before, after] = [mailboxHash(identityKey, first), mailboxHash(identityKey, current)];
    const rows = await tx
      .select()
      .from(unreachableAddresses)
      .where(eq(unreachableAddresses.recipientHmac, before));
    if (rows.length > 0)
      await tx
        .insert(unreachableAddresses)
        .values(rows.map((row) => ({ ...row, recipientHmac: after })))
        .onConflictDoNothing();
  }
  const counted = changedForms(
    addresses.flatMap((email) => {
      const mailbox = getMailbox(email);
      return [firstMailbox(email), untaggedEmail(email)].map((before) => [before, mailbox] as const);
    }),
  );
  const mailboxes = new Map(
    [...counted].map(([before, mailbox]) => [mailboxHash(identityKey, before), mailbox]),
  );
  if (mailboxes.size === 0) return;
  // Most have no row: only those of the last week are kept.
  const found = await tx
    .selectDistinct({ before: recipientEmails.recipientHmac })
    .from(recipientEmails)
    .where(inArray(recipientEmails.recipientHmac, [...mailboxes.keys()]));
  for (const { before } of found)
    await tx
      .update(recipientEmails)
      .set({ recipientHmac: mailboxHash(identityKey, mailboxes.get(before) ?? '') })
      .where(eq(recipientEmails.recipientHmac, before));
}

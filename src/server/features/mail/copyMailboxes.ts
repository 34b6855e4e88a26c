import { eq, inArray } from 'drizzle-orm';
import type { Queryable } from '#server/db/connect.ts';
import { recipientEmails, unreachableAddresses } from '#server/db/schema/index.ts';
import { mailboxHash } from '../identity/identityHashes.ts';
import { getMailbox, untaggedEmail } from '../identity/mailbox.ts';
import { firstMailbox } from '../identity/normalForms.ts';

/** Pairs of an earlier form and the current one, each once, where they differ. */
function changedForms(pairs: readonly (readonly [string, string])[]): Map<string, string> {
  return new Map(pairs.filter(([before, after]) => before !== after));
}

/**
 * Marks addresses, as typed, that are marked as unreachable in the form of 1.0.0 in the current form too, and moves what
 * the limits of their mailboxes counted in the forms of 1.0.0 and 1.0.1.
 */
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

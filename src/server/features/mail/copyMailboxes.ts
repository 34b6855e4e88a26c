import { eq } from 'drizzle-orm';
import type { Queryable } from '#server/db/connect.ts';
import { recipientEmails, unreachableAddresses } from '#server/db/schema/index.ts';
import { mailboxHash } from '../identity/identityHashes.ts';

/** A mailbox in the form of 1.0.0 and in the current one. */
interface MailboxForms {
  first: string;
  current: string;
}

/** Marks mailboxes that are marked as unreachable in the form of 1.0.0 in the current form too, and moves their limits. */
export async function copyMailboxes(
  tx: Queryable,
  identityKey: Buffer,
  mailboxes: readonly MailboxForms[],
): Promise<void> {
  const changed = new Map(
    mailboxes.flatMap(({ first, current }) => (first === current ? [] : [[first, current] as const])),
  );
  for (const [first, current] of changed) {
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
    await tx
      .update(recipientEmails)
      .set({ recipientHmac: after })
      .where(eq(recipientEmails.recipientHmac, before));
  }
}

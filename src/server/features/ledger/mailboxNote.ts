import type { MailboxHashes } from '../identity/identityHashes.ts';
import type { LedgerEntry } from './ledgerEntry.ts';

const pattern = /^mailbox ([0-9a-f]{64}) ([0-9a-f]{64})$/;

/**
 * The reason of an entry that only says the mailbox of a listed email address. Earlier versions read it as a lift that
 * names nobody, and so change nothing; a kind of its own would end their restore.
 */
export function formatMailboxNote({ emailHmac, mailboxHmac }: MailboxHashes): string {
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

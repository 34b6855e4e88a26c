import { eq } from 'drizzle-orm';
import type { Queryable } from '#server/db/connect.ts';
import { leads } from '#server/db/schema/index.ts';
import type { Services } from '#server/services.ts';
import { formsOf, identityOf } from '../identity/identity.ts';
import { mailboxOf } from '../identity/mailbox.ts';
import { listCorrections } from '../leads/changes/leadCorrections.ts';
import { recordHashedEntry } from '../ledger/recordLedgerEntry.ts';
import { hashed, insertHashed } from '../suppression/suppressions.ts';

type FormerServices = Pick<Services, 'dataKeys' | 'db' | 'now'>;

/** The former addresses of a lead that staff corrected, and the present one; null if they corrected none. */
async function addressesOf(
  db: Queryable,
  leadId: number,
): Promise<{ first: string; former: string[]; present: string } | null> {
  const corrections = await listCorrections(db, leadId);
  const former = corrections.filter(({ field }) => field === 'email').map(({ before }) => before);
  const [first] = former;
  if (first === undefined) return null;
  const [lead] = await db.select({ email: leads.email }).from(leads).where(eq(leads.id, leadId));
  return lead === undefined ? null : { first, former, present: lead.email };
}

/**
 * The hash of the address that a link was sent to, if staff corrected it since; null otherwise. It may be a stranger's
 * mailbox, who can end contact with it, but not with the person. A link without the hash is of 1.0.0, which corrected
 * nothing: it went to the first address.
 */
export async function findFormerAddress(
  { db, dataKeys }: Pick<FormerServices, 'db' | 'dataKeys'>,
  leadId: number,
  emailHmac: string | null,
): Promise<string | null> {
  const addresses = await addressesOf(db, leadId);
  if (addresses === null) return null;
  const { first, former, present } = addresses;
  const { key } = await dataKeys.current('identity');
  const hashesOf = (email: string): string[] => {
    const { emailNorm, firstEmailNorm } = identityOf({ email });
    return formsOf({ emailNorm, firstEmailNorm }).map((form) => hashed(key, form).valueHmac);
  };
  const sentTo = emailHmac ?? hashesOf(first)[0] ?? '';
  const isFormer = former.some((email) => hashesOf(email).includes(sentTo));
  return isFormer && !hashesOf(present).includes(sentTo) ? sentTo : null;
}

/**
 * Whether a reply to a message about a lead may be of a stranger, to whom the lead's former address belongs: it isn't
 * from the mailbox of the present one.
 */
export async function mayBeFromFormer(db: Queryable, leadId: number, from: string): Promise<boolean> {
  const addresses = await addressesOf(db, leadId);
  return addresses !== null && mailboxOf(addresses.present) !== mailboxOf(from);
}

/** Suppresses a former address of a lead by the hash in its link. A second call changes nothing. */
export async function suppressFormerAddress(
  { db, now }: Pick<FormerServices, 'db' | 'now'>,
  emailHmac: string,
  how: 'page' | 'one-click',
): Promise<void> {
  const at = now();
  const reason = how === 'page' ? 'withdrawn' : 'unsubscribed';
  await db.transaction(async (tx) => {
    const email = { kind: 'email', valueHmac: emailHmac } as const;
    const listed = await insertHashed(tx, [email], { reason, leadId: null, by: 'Visitor', at });
    if (listed.every(({ isNew }) => !isNew)) return;
    // Without the lead: a restore must not end contact with its person.
    await recordHashedEntry(tx, {
      ...{ kind: 'suppressed', at, email: emailHmac, phone: null, leads: [], reason, how },
    });
  });
}

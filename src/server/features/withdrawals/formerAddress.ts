import { eq } from 'drizzle-orm';
import { leads } from '#server/db/schema/index.ts';
import type { Services } from '#server/services.ts';
import { formsOf, identityOf } from '../identity/identity.ts';
import { listCorrections } from '../leads/changes/leadCorrections.ts';
import { recordHashedEntry } from '../ledger/recordLedgerEntry.ts';
import { hashed, insertHashed } from '../suppression/suppressions.ts';

type FormerServices = Pick<Services, 'dataKeys' | 'db' | 'now'>;

/**
 * Whether a link was sent to an address that staff corrected since: it may be a stranger's mailbox, who can end contact
 * with it, but not with the person.
 */
export async function isFormerAddress(
  { db, dataKeys }: Pick<FormerServices, 'db' | 'dataKeys'>,
  leadId: number,
  emailHmac: string,
): Promise<boolean> {
  const corrections = await listCorrections(db, leadId);
  const former = corrections.filter(({ field }) => field === 'email').map(({ before }) => before);
  if (former.length === 0) return false;
  const [lead] = await db.select({ email: leads.email }).from(leads).where(eq(leads.id, leadId));
  if (lead === undefined) return false;
  const { key } = await dataKeys.current('identity');
  const has = (email: string): boolean => {
    const { emailNorm, firstEmailNorm } = identityOf({ email });
    return formsOf({ emailNorm, firstEmailNorm }).some((form) => hashed(key, form).valueHmac === emailHmac);
  };
  return !has(lead.email) && former.some(has);
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

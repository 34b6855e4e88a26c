import { and, eq, isNull, arrayContains, desc, isNotNull, or } from 'drizzle-orm';
import type { AlertKind } from '#shared/admin/alerts.ts';
import type { WithdrawalWay } from '#shared/leads/suppression.ts';
import type { Queryable } from '#server/db/connect.ts';
import { leads, providers, erasureLedger, type LedgerRow } from '#server/db/schema/index.ts';
import type { Services } from '#server/services.ts';
import { isAlertOpen, raiseAlert, wasDismissed } from '../alerts/alerts.ts';
import { identityHashSql, identityPads } from '../identity/identityHashes.ts';
import { recordHashedEntry } from '../ledger/recordLedgerEntry.ts';
import type { SignedWithdrawal } from '../mail/linkTokens.ts';
import { insertHashed } from '../suppression/suppressions.ts';

type LostServices = Pick<Services, 'dataKeys' | 'db' | 'now'>;

const withdrawalKind = 'restored-withdrawal' satisfies AlertKind;

/**
 * Whether nobody may contact the person of a lead that isn't in the database, as far as is known. A withdrawal without
 * a hash isn't in the ledger, so its alert counts, also once staff have dismissed it.
 */
export async function isLostLeadEnded(
  db: Queryable,
  link: Omit<SignedWithdrawal, 'sentTo'>,
): Promise<boolean> {
  const alert = { kind: withdrawalKind, subject: link.publicId } as const;
  return (
    (await isEndedByLedger(db, link)) || (await isAlertOpen(db, alert)) || (await wasDismissed(db, alert))
  );
}

const lookUp =
  'which isn’t in the database: data was restored. Look for it in the clinics’ email and in the CRM';

/**
 * Suppresses the email address of a lead that isn't in the database, by the keyed hash in its link. Staff get an alert:
 * the clinic must stop, and nobody here knows which one has the lead. A second call changes nothing.
 */
export async function suppressLostLead(
  { db, now }: LostServices,
  { publicId, emailHmac }: { publicId: string; emailHmac: string },
  how: 'page' | 'one-click',
): Promise<void> {
  const at = now();
  await db.transaction(async (tx) => {
    const isKnown = await isEndedByLedger(tx, { publicId });
    if (!(await listHash(tx, { emailHmac, leadPublicIds: [publicId], how, at }, isKnown))) return;
    const message = `Somebody withdrew by the link of lead ${publicId}, ${lookUp}, and ask the clinic to stop. The email address is suppressed.`;
    await raiseAlert(tx, { kind: withdrawalKind, subject: publicId, message, now: at });
  });
}

interface HashWithdrawal {
  emailHmac: string;
  /** Of leads that a restore ends contact with. */
  leadPublicIds: string[];
  how: WithdrawalWay;
  at: Date;
}

/** Suppresses an email of which only the hash is known, also in the ledger. False if already known to be withdrawn. */
export async function listHash(
  tx: Queryable,
  { emailHmac, leadPublicIds, how, at }: HashWithdrawal,
  isKnown: boolean,
): Promise<boolean> {
  const reason = toReason(how);
  const email = { kind: 'email', valueHmac: emailHmac } as const;
  const listed = await insertHashed(tx, [email], { reason, leadId: null, by: 'Visitor', at });
  if (isKnown && listed.every(({ isNew }) => !isNew)) return false;
  await recordHashedEntry(tx, {
    ...{ kind: 'suppressed' as const, at, emailHmac, phoneHmac: null },
    ...{ leadPublicIds, reason, how },
  });
  return true;
}

/** The reason of a suppression by the person. */
export function toReason(how: WithdrawalWay): 'withdrawn' | 'unsubscribed' {
  return how === 'page' ? 'withdrawn' : 'unsubscribed';
}

/** The same without a hash: staff must find out whose lead it was. */
export async function reportLostWithdrawal({ db, now }: LostServices, publicId: string): Promise<void> {
  if (await isEndedByLedger(db, { publicId })) return;
  const message = `Somebody asked us to stop by a message about lead ${publicId}, ${lookUp}, suppress the person, and ask the clinic to stop.`;
  await raiseAlert(db, { kind: withdrawalKind, subject: publicId, message, now: now() });
}

/** Staff see that a provider has a lead that isn't in the database. */
export async function reportLostLead(
  { db, now }: LostServices,
  { publicId, providerId }: { publicId: string; providerId: number },
): Promise<void> {
  const [provider] = await db
    .select({ name: providers.name })
    .from(providers)
    .where(eq(providers.id, providerId));
  const who = provider === undefined ? `Provider ${providerId}` : `${provider.name} (provider ${providerId})`;
  const message = `${who} has lead ${publicId}, which isn’t in the database: data was restored. Ask for the email about it, and enter the lead again.`;
  await raiseAlert(db, { kind: 'restored-link', subject: publicId, message, now: now() });
}

/** The same for a reply of a person. */
export async function reportLostReply({ db, now }: LostServices, publicId: string): Promise<void> {
  const message = `Somebody replied to a message about lead ${publicId}, ${lookUp}, and read the reply in the mailbox.`;
  await raiseAlert(db, { kind: 'restored-link', subject: `${publicId} reply`, message, now: now() });
}

/** A stored lead with this address, of which only the hash is known. Reads all leads: rare, after a restore. */
export async function findLeadByHash(
  { db, dataKeys }: LostServices,
  emailHmac: string,
): Promise<number | null> {
  const { key } = await dataKeys.current('identity');
  const hash = identityHashSql('email', leads.emailNorm, identityPads(key));
  const [lead] = await db
    .select({ id: leads.id })
    .from(leads)
    .where(and(isNull(leads.erasedAt), eq(hash, emailHmac)))
    .limit(1);
  return lead?.id ?? null;
}

type Hashed = Pick<LedgerRow, 'emailHmac' | 'phoneHmac'>;

/** Whether the latest entry about an email address or a phone number ends contact. */
async function isEnded(db: Queryable, { emailHmac, phoneHmac }: Hashed): Promise<boolean> {
  for (const [column, hash] of [
    [erasureLedger.emailHmac, emailHmac],
    [erasureLedger.phoneHmac, phoneHmac],
  ] as const) {
    if (hash === null) continue;
    const [latest] = await db
      .select({ kind: erasureLedger.kind })
      .from(erasureLedger)
      .where(eq(column, hash))
      .orderBy(desc(erasureLedger.id))
      .limit(1);
    if (latest !== undefined && latest.kind !== 'suppression-lifted') return true;
  }
  return false;
}

/**
 * What the ledger says of a lead that a restore lost: whether its person was erased or, by the latest entry,
 * suppressed. `emailHmac`: the keyed hash of the address, if known. Reads the whole table of erasures and suppressions.
 */
async function isEndedByLedger(
  db: Queryable,
  { publicId, emailHmac = null }: { publicId: string; emailHmac?: string | null },
): Promise<boolean> {
  const entries = await db
    .select({
      kind: erasureLedger.kind,
      emailHmac: erasureLedger.emailHmac,
      phoneHmac: erasureLedger.phoneHmac,
    })
    .from(erasureLedger)
    .where(
      and(
        arrayContains(erasureLedger.leadPublicIds, [publicId]),
        or(
          eq(erasureLedger.kind, 'erased'),
          isNotNull(erasureLedger.emailHmac),
          isNotNull(erasureLedger.phoneHmac),
        ),
      ),
    );
  if (entries.some(({ kind }) => kind === 'erased')) return true;
  for (const entry of [{ emailHmac, phoneHmac: null }, ...entries]) if (await isEnded(db, entry)) return true;
  return false;
}

import { and, asc, eq, gt, isNull, lte, max, ne, type SQL, sql, type SQLWrapper } from 'drizzle-orm';
import type { Database, Queryable } from '#server/db/connect.ts';
import { consentRecords, leads, normalFormUpgrades, upgradedTables } from '#server/db/schema/index.ts';
import type { Services } from '#server/services.ts';
import { type Identity, getIdentity, toPerson } from '../identity/identity.ts';
import { identityHash } from '../identity/identityHashes.ts';
import { getMailbox } from '../identity/mailbox.ts';
import { firstEmailNorm, firstPhoneE164 } from '../identity/normalForms.ts';
import { type LeadForms, storeCurrentForms } from '../leads/changes/leadCorrections.ts';
import { recordLedgerEntry, recordMailbox } from '../ledger/recordLedgerEntry.ts';
import { copyMailboxes } from '../mail/unreachableAddresses.ts';
import { copySuppressions, storeMailboxes, type TwoForms } from '../suppression/suppressions.ts';

type Upgraded = (typeof upgradedTables)[number];

/** Contact details as typed. */
interface Typed {
  id: number;
  email: string;
  phone: string;
}

/** Rows of one transaction: a few milliseconds of reading, a tenth of a second if all need the slow parser. */
const rowsPerBatch = 2_000;

/** Addresses that may be another spelling of their mailbox (mailbox.ts). */
const spelled = '[+=]|[.].*@gmail[.]com|@googlemail[.]com|-.*@(yahoo|ymail|rocketmail|myyahoo)[.]';

/** Details whose form may have changed since 1.0.0. Most have plain numbers (normalForms.ts) and addresses. */
function mayDiffer(email: SQLWrapper, phone: SQLWrapper): SQL {
  const plain = String.raw`^(\+?1[ .-]?)?\(?[2-9][0-9]{2}\)?[ .-]?[0-9]{3}[ .-]?[0-9]{4}$`;
  return sql`(${email} ~* ${`[^ -~]|\`|${spelled}`} or ${phone} !~ ${plain})`;
}

async function readTyped(tx: Queryable, table: Upgraded, after: number, until: number): Promise<Typed[]> {
  const from = table === 'leads' ? leads : consentRecords;
  const isKept = table === 'leads' ? isNull(leads.erasedAt) : ne(consentRecords.email, '');
  const { id, email, phone } = from;
  const own = and(gt(id, after), lte(id, until), isKept, mayDiffer(email, phone));
  return tx.select({ id, email, phone }).from(from).where(own).orderBy(asc(id));
}

/** The last id of the next batch; null: there is none. */
async function findBatchEnd(tx: Queryable, table: Upgraded, after: number): Promise<number | null> {
  const from = table === 'leads' ? leads : consentRecords;
  const { id } = from;
  const batch = tx
    .select({ id })
    .from(from)
    .where(gt(id, after))
    .orderBy(asc(id))
    .limit(rowsPerBatch)
    .as('batch');
  const [row] = await tx.select({ end: max(batch.id) }).from(batch);
  return row?.end ?? null;
}

/** A row's forms, of the email and the phone that differ. */
function changedForms(typed: Typed): TwoForms[] {
  const { emailNorm, phoneE164, ...first } = getIdentity(typed);
  const of = (kind: Identity['kind'], before: string | null, current: string | null): TwoForms[] =>
    before === null || current === null ? [] : [{ kind, first: before, current }];
  return [...of('email', first.firstEmailNorm, emailNorm), ...of('phone', first.firstPhoneE164, phoneE164)];
}

function leadForms(typed: Typed): LeadForms[] {
  const { phoneE164, ...forms } = getIdentity(typed);
  const firstPhone = firstPhoneE164(typed.phone);
  if (phoneE164 === null || firstPhone === null) return [];
  const current = { ...forms, phoneE164 };
  return [
    { id: typed.id, first: { emailNorm: firstEmailNorm(typed.email), phoneE164: firstPhone }, current },
  ];
}

/** Lists what is listed in the form of 1.0.0 in the current form too, in the ledger as well. */
async function copyEntries(tx: Queryable, forms: readonly TwoForms[], identityKey: Buffer): Promise<void> {
  for (const { kind, current, row } of await copySuppressions(tx, identityKey, forms)) {
    const { reason, leadId, by, at } = row;
    const entry = { person: toPerson({ kind, value: current }), identityKey, at, reason } as const;
    // An erasure that names no lead: a replay lists the person and withdraws nobody else's consent.
    if (reason === 'erased') await recordLedgerEntry(tx, { ...entry, kind: 'erased', leadIds: [] });
    else {
      const how = by === 'Visitor' ? 'page' : 'staff';
      const leadIds = leadId === null ? [] : [leadId];
      await recordLedgerEntry(tx, { ...entry, kind: 'suppressed', leadIds, how });
    }
  }
}

/** Whether an address as typed is another spelling of its mailbox. */
function isSpelled({ email }: Typed): boolean {
  return getMailbox(email) !== getIdentity({ email }).emailNorm;
}

/** Adds the mailbox to entries of these addresses that lack it, in the ledger as well. */
async function addMailboxes(tx: Queryable, typed: readonly Typed[], identityKey: Buffer): Promise<void> {
  const hash = (value: string): string => identityHash(identityKey, 'email', value);
  const hashes = typed.flatMap(({ email }) => {
    const { emailNorm, firstEmailNorm: first } = getIdentity({ email });
    const mailboxHmac = hash(getMailbox(email));
    return [emailNorm, first].flatMap((form) =>
      form === null || form === undefined ? [] : [{ emailHmac: hash(form), mailboxHmac }],
    );
  });
  for (const stored of await storeMailboxes(tx, hashes)) await recordMailbox(tx, stored, new Date());
}

/** Handles the next rows of a table. Returns false at its end. */
async function upgradeBatch(db: Database, table: Upgraded, identityKey: Buffer): Promise<boolean> {
  return db.transaction(async (tx) => {
    const tableName = `${table}-2` as const;
    await tx.insert(normalFormUpgrades).values({ tableName }).onConflictDoNothing();
    const own = eq(normalFormUpgrades.tableName, tableName);
    // Only one process at a time.
    const [progress] = await tx.select().from(normalFormUpgrades).where(own).for('update');
    const after = progress?.lastId ?? 0;
    const end = await findBatchEnd(tx, table, after);
    if (end === null) return false;
    const read = await readTyped(tx, table, after, end);
    const typed = read.filter((row) => changedForms(row).length > 0);
    const others = read.filter(isSpelled);
    if (typed.length > 0) {
      await copyEntries(tx, typed.flatMap(changedForms), identityKey);
      if (table === 'leads') await storeCurrentForms(tx, typed.flatMap(leadForms));
    }
    await addMailboxes(tx, others, identityKey);
    const addresses = new Set([...typed, ...others].map(({ email }) => email));
    await copyMailboxes(tx, identityKey, [...addresses]);
    await tx.update(normalFormUpgrades).set({ lastId: end }).where(own);
    return true;
  });
}

interface Run {
  /** No batch starts after its abort. */
  signal?: AbortSignal;
  /** Compares all rows again: entries in the form of 1.0.0 may have come since. */
  startsOver?: boolean;
}

/**
 * Brings what earlier versions stored to the current normal form of emails and phones: leads, and everything that is
 * listed by a keyed hash and whose lead or evidence still exists. Entries of other people stay in the form of 1.0.0, by
 * which they are still found. Continues where the last run ended, in small transactions, so that it can run at any time
 * and in any number of processes. Throws if no secret opens the identity key.
 */
export async function upgradeForms(
  { db, dataKeys }: Pick<Services, 'db' | 'dataKeys'>,
  { signal, startsOver = false }: Run = {},
): Promise<void> {
  const { key } = await dataKeys.current('identity');
  if (startsOver) await db.update(normalFormUpgrades).set({ lastId: 0 });
  for (const table of upgradedTables) {
    let hasMore = true;
    while (hasMore) hasMore = signal?.aborted !== true && (await upgradeBatch(db, table, key));
  }
}

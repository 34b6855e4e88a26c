import { and, eq, inArray, isNull, or, type SQL, sql, type SQLWrapper } from 'drizzle-orm';
import type { SuppressionEntry } from '#shared/leads/suppression.ts';
import type { Queryable } from '#server/db/connect.ts';
import { type LeadRow, leads, type SuppressionRow, suppressions } from '#server/db/schema/index.ts';
import type { DataKeys } from '#server/security/dataKeys.ts';
import {
  listForms,
  listIdentities,
  type Identity,
  type IdentityKind,
  mailboxSql,
  type Person,
} from '../identity/identity.ts';
import {
  identityHash,
  identityHashSql,
  type IdentityPads,
  identityPads,
  type MailboxHashes,
} from '../identity/identityHashes.ts';
import { furtherNumbers } from '../identity/leadContact.ts';
import { getMailbox } from '../identity/mailbox.ts';

/** An email address or a phone number as the list has it. */
export interface HashedIdentity {
  kind: IdentityKind;
  valueHmac: string;
}

export function hashed(identityKey: Buffer, { kind, value }: Identity): HashedIdentity {
  return { kind, valueHmac: identityHash(identityKey, kind, value) };
}

function isEntry({ kind, valueHmac }: HashedIdentity): SQL | undefined {
  return and(eq(suppressions.kind, kind), eq(suppressions.valueHmac, valueHmac));
}

/** The entries of a person, in any form of email and phone. */
export function listSuppressions(identityKey: Buffer, person: Partial<Person>): SQL | undefined {
  return or(...listForms(person).map((identity) => isEntry(hashed(identityKey, identity))));
}

/**
 * `isSuppressed` as a condition in a query of leads, by `identityPads`. `counts`: a condition on `listed`, the entries.
 */
function isLeadSuppressedBy(pads: Record<keyof IdentityPads, unknown>, counts?: SQL): SQL<boolean> {
  const getEntry = (kind: IdentityKind, column: SQLWrapper): SQL =>
    sql`(${sql.raw(`'${kind}'`)}, ${identityHashSql(kind, column, pads)})`;
  // The hash of a form that is null is null, and no entry has it.
  const entries = [
    getEntry('email', leads.emailNorm),
    getEntry('phone', leads.phoneE164),
    getEntry('email', leads.firstEmailNorm),
    getEntry('phone', leads.firstPhoneE164),
  ];
  const further = counts === undefined ? sql.empty() : sql` and ${counts}`;
  return sql<boolean>`exists (
    select 1 from suppressions listed where (listed.kind, listed.value_hmac) in (${sql.join(entries, sql.raw(', '))})${further})`;
}

/** The same with the identity key. */
export function isLeadSuppressed(identityKey: Buffer): SQL<boolean> {
  return isLeadSuppressedBy(identityPads(identityKey));
}

/**
 * Whether the lead is suppressed by what its person said: an entry that was listed before staff corrected the lead's
 * value to it is another's, or the correction was a slip. A condition in a query of leads.
 */
export function isSuppressedBySelf(identityKey: Buffer): SQL<boolean> {
  return isLeadSuppressedBy(
    identityPads(identityKey),
    sql`not exists (
      select from lead_corrections slip where slip.lead_id = leads.id and slip.field = listed.kind and slip.at >= listed.at)`,
  );
}

/** Whether none of these details was corrected since staff decided. `decided`: the task's alias in a query. */
export function isAsDecided(decided: string, details: readonly IdentityKind[]): SQL {
  const task = sql.identifier(decided);
  return sql`not exists (
    select from lead_corrections since where since.lead_id = ${task}.lead_id and since.at >= ${task}.done_at
      and since.field = any (${sql.param([...details])}::text[]))`;
}

/**
 * Whether somebody withdrew under another spelling of the lead's email address, and staff haven't decided since about
 * the lead's. A condition in a query of leads. Says nothing about a lead that is suppressed itself.
 */
export function isMailboxSuppressed(identityKey: Buffer): SQL<boolean> {
  const hash = identityHashSql('email', mailboxSql(leads.emailNorm), identityPads(identityKey));
  return sql<boolean>`exists (
    select 1 from suppressions listed, (select ${hash} as hmac) mailbox
    where listed.kind = 'email' and (listed.value_hmac = mailbox.hmac or listed.mailbox_hmac = mailbox.hmac)
      and not exists (
        select 1 from staff_tasks decided join leads asked on asked.id = decided.lead_id
        where decided.kind = 'mailbox-withdrawn' and asked.email_norm = ${leads.emailNorm} and decided.done_at >= listed.at
          and ${isAsDecided('decided', ['email'])}))`;
}

/**
 * Whether nobody may contact the lead's person by email or phone: checked before anything is sent about a lead. Throws
 * if the identity key can't be loaded. Not for a transaction: loading the key needs another connection.
 */
export async function isSuppressed(
  { db, dataKeys }: { db: Queryable; dataKeys: DataKeys },
  person: Person,
): Promise<boolean> {
  const { email, phone } = await findSuppression({ db, dataKeys }, person);
  return email !== null || phone !== null;
}

/** The entries of a person's email and phone, with their time, author and reason; null for one that isn't listed. */
export async function findSuppression(
  { db, dataKeys }: { db: Queryable; dataKeys: Pick<DataKeys, 'current'> },
  person: Person,
): Promise<Record<IdentityKind, SuppressionEntry | null>> {
  const { key } = await dataKeys.current('identity');
  const rows = await db.select().from(suppressions).where(listSuppressions(key, person));
  const findEntry = (of: IdentityKind): SuppressionEntry | null => {
    const row = rows.find(({ kind }) => kind === of);
    return row === undefined ? null : { since: row.at.toISOString(), by: row.by, reason: row.reason };
  };
  return { email: findEntry('email'), phone: findEntry('phone') };
}

type EntryFields = Omit<typeof suppressions.$inferInsert, 'kind' | 'valueHmac' | 'mailboxHmac'>;

/**
 * Lists a person's email, phone or both in their current form. An earlier entry stays; its row is touched, so that a
 * second call waits here for the first one's end. Returns when each was listed, and whether by this call.
 */
export function insertSuppressions(
  tx: Queryable,
  { identityKey, person }: { identityKey: Buffer; person: Partial<Person> },
  entry: EntryFields,
): Promise<{ at: Date; isNew: boolean }[]> {
  const identities = listIdentities(person).map((identity) => ({
    ...hashed(identityKey, identity),
    mailboxHmac: computeMailboxHmac(identityKey, identity),
  }));
  return insertHashed(tx, identities, entry);
}

/** The hash of the mailbox of an email address; null for a phone number. */
function computeMailboxHmac(identityKey: Buffer, { kind, value }: Identity): string | null {
  return kind === 'email' ? identityHash(identityKey, 'email', getMailbox(value)) : null;
}

/** The same for identities of which only the hashes are known. */
export function insertHashed(
  tx: Queryable,
  identities: readonly (HashedIdentity & { mailboxHmac?: string | null })[],
  entry: EntryFields,
): Promise<{ at: Date; isNew: boolean }[]> {
  return tx
    .insert(suppressions)
    .values(identities.map((identity) => ({ ...entry, ...identity })))
    .onConflictDoUpdate({
      target: [suppressions.valueHmac, suppressions.kind],
      set: { mailboxHmac: sql`coalesce(${suppressions.mailboxHmac}, excluded.mailbox_hmac)` },
    })
    .returning({ at: suppressions.at, isNew: sql<boolean>`xmax = 0` });
}

/** Removes the entries of a person, in any form. Returns whether there was one. */
export async function deleteSuppressions(
  tx: Queryable,
  identityKey: Buffer,
  person: Partial<Person>,
): Promise<boolean> {
  return (await tx.delete(suppressions).where(listSuppressions(identityKey, person))).count > 0;
}

/** Whether an entry exists, of which only the hash is known. */
export async function isListed(db: Queryable, identity: HashedIdentity): Promise<boolean> {
  return (await db.$count(suppressions, isEntry(identity))) > 0;
}

/** Whether somebody listed an email address of the mailbox, in any spelling. */
export async function isMailboxListed(db: Queryable, identityKey: Buffer, email: string): Promise<boolean> {
  const hmac = identityHash(identityKey, 'email', getMailbox(email));
  const { kind, valueHmac, mailboxHmac } = suppressions;
  const isListedAs = or(eq(valueHmac, hmac), eq(mailboxHmac, hmac));
  return (await db.$count(suppressions, and(eq(kind, 'email'), isListedAs))) > 0;
}

/** Removes an entry of which only the hash is known. Returns whether there was one. */
export async function deleteHashed(tx: Queryable, identity: HashedIdentity): Promise<boolean> {
  return (await tx.delete(suppressions).where(isEntry(identity))).count > 0;
}

/** Removes the leads from entries, for an erasure: an entry must not lead to the person. */
export async function unlinkSuppressions(tx: Queryable, leadIds: readonly number[]): Promise<void> {
  await tx
    .update(suppressions)
    .set({ leadId: null })
    .where(inArray(suppressions.leadId, [...leadIds]));
}

/** An email address or a phone number in the form of 1.0.0 and in the current one. */
export interface TwoForms {
  kind: IdentityKind;
  first: string;
  current: string;
}

/** Lists in the current form what is listed in that of 1.0.0. Returns the entries that are new. */
export async function copySuppressions(
  tx: Queryable,
  identityKey: Buffer,
  forms: readonly TwoForms[],
): Promise<(TwoForms & { row: SuppressionRow })[]> {
  const byFirst = Map.groupBy(forms, ({ kind, first }) => identityHash(identityKey, kind, first));
  if (byFirst.size === 0) return [];
  const listed = await tx
    .select()
    .from(suppressions)
    .where(inArray(suppressions.valueHmac, [...byFirst.keys()]));
  const copied: (TwoForms & { row: SuppressionRow })[] = [];
  for (const entry of listed)
    for (const form of byFirst.get(entry.valueHmac) ?? []) {
      if (form.kind !== entry.kind) continue;
      const valueHmac = identityHash(identityKey, form.kind, form.current);
      const [row] = await tx
        .insert(suppressions)
        .values({
          ...entry,
          valueHmac,
          mailboxHmac: computeMailboxHmac(identityKey, { kind: form.kind, value: form.current }),
        })
        .onConflictDoNothing()
        .returning();
      if (row !== undefined) copied.push({ ...form, row });
    }
  return copied;
}

/** Adds the mailbox to entries that lack it. Returns those that changed. */
export async function storeMailboxes(
  tx: Queryable,
  hashes: readonly MailboxHashes[],
): Promise<MailboxHashes[]> {
  const byEmail = new Map(hashes.map(({ emailHmac, mailboxHmac }) => [emailHmac, mailboxHmac]));
  if (byEmail.size === 0) return [];
  const lacksMailbox = and(eq(suppressions.kind, 'email'), isNull(suppressions.mailboxHmac));
  const listed = await tx
    .select({ emailHmac: suppressions.valueHmac })
    .from(suppressions)
    .where(and(inArray(suppressions.valueHmac, [...byEmail.keys()]), lacksMailbox))
    .orderBy(suppressions.valueHmac)
    .for('update');
  const stored = listed.flatMap(({ emailHmac }) => {
    const mailboxHmac = byEmail.get(emailHmac);
    return mailboxHmac === undefined ? [] : [{ emailHmac, mailboxHmac }];
  });
  for (const { emailHmac, mailboxHmac } of stored)
    await tx
      .update(suppressions)
      .set({ mailboxHmac })
      .where(isEntry({ kind: 'email', valueHmac: emailHmac }));
  return stored;
}

/** Further numbers of suppressed leads, by lead id, if any. Nobody gets them: they may be other people's. */
export async function findLeftOut(
  db: Queryable,
  identityKey: Buffer,
  typed: readonly Pick<LeadRow, 'id' | 'phone'>[],
): Promise<Map<number, string[]>> {
  const further = typed.flatMap(({ id, phone }) =>
    furtherNumbers(phone).map((e164) => ({ id, e164, hash: identityHash(identityKey, 'phone', e164) })),
  );
  if (further.length === 0) return new Map();
  const rows = await db
    .select({ hash: suppressions.valueHmac })
    .from(suppressions)
    .where(
      and(
        eq(suppressions.kind, 'phone'),
        inArray(
          suppressions.valueHmac,
          further.map(({ hash }) => hash),
        ),
      ),
    );
  const listed = new Set(rows.map(({ hash }) => hash));
  const leftOut = Map.groupBy(
    further.filter(({ hash }) => listed.has(hash)),
    ({ id }) => id,
  );
  return new Map([...leftOut].map(([id, numbers]) => [id, numbers.map(({ e164 }) => e164)]));
}

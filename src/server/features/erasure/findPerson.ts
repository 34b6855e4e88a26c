import type { PersonLead } from '#shared/admin/erasure.ts';
import {
  type ConsentRecordRow,
  type LeadRow,
  consentErasures,
  consentRecords,
  leads,
} from '#server/db/schema/index.ts';
import { AppError, notFound } from '#server/errors.ts';
import {
  getIdentity,
  hasMailbox,
  isLeadOf,
  isRecordOf,
  mailboxSql,
  mayBeRecordOf,
  type Person as KnownPerson,
  type PersonByEmail,
} from '../identity/identity.ts';
import { getMailbox } from '../identity/mailbox.ts';
import { and, asc, desc, eq, inArray, isNull, or, sql } from 'drizzle-orm';
import type { Queryable } from '#server/db/connect.ts';

/** A lead that shares email, mailbox or phone with the requested one, as staff see it. */
interface FoundLead extends Omit<PersonLead, 'created_at'> {
  createdAt: Date;
}

/** The columns that are read of evidence. */
type FoundRecord = Pick<
  ConsentRecordRow,
  'id' | 'leadId' | 'firstName' | 'lastName' | 'email' | 'phone' | 'acceptedAt'
>;

type Named = Pick<LeadRow, 'firstName' | 'lastName'>;
type NamedLead = Named & Pick<LeadRow, 'id' | 'createdAt' | 'email' | 'phone'>;

/** A name for comparison, without case, accents and extra spaces. */
function nameKey({ firstName, lastName }: Named): string {
  return `${firstName} ${lastName}`
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== '')
    .join(' ');
}

export function isSameName(one: Named, other: Named): boolean {
  return nameKey(one) === nameKey(other);
}

/**
 * How each lead was found, by ascending id. Purged leads are found by their evidence. `stored` are leads whose evidence
 * was found, but which have other details since staff corrected them: the first ones may have been a stranger's.
 */
function foundLeads(
  asked: Named & Pick<LeadRow, 'emailNorm'>,
  { rows, stored }: { rows: readonly LeadRow[]; stored: readonly LeadRow[] },
  records: readonly FoundRecord[],
): FoundLead[] {
  const mailbox = getMailbox(asked.emailNorm);
  const foundBy = (email: string): FoundLead['foundBy'] => {
    if (email === asked.emailNorm) return 'email';
    return getMailbox(email) === mailbox ? 'mailbox' : 'phone';
  };
  const found = new Map<number, FoundLead>();
  const add = (lead: NamedLead, facts: Pick<FoundLead, 'standing' | 'foundBy'>): void => {
    const { id, createdAt, email, phone } = lead;
    const name = `${lead.firstName} ${lead.lastName}`;
    found.set(id, { id, createdAt, name, email, phone, ...facts, isSameName: isSameName(asked, lead) });
  };
  const getStanding = ({ deletedAt }: LeadRow) => (deletedAt === null ? 'kept' : 'deleted');
  for (const row of rows) add(row, { standing: getStanding(row), foundBy: foundBy(row.emailNorm) });
  for (const row of stored) {
    const typed = records
      .filter(({ leadId }) => leadId === row.id)
      .map((record) => getIdentity(record).emailNorm);
    const isFormer = typed.some((email) => foundBy(email) !== 'phone');
    add(row, { standing: getStanding(row), foundBy: isFormer ? 'former' : 'phone' });
  }
  for (const record of records) {
    if (found.has(record.leadId)) continue;
    const lead = { ...record, id: record.leadId, createdAt: record.acceptedAt };
    add(lead, { standing: 'purged', foundBy: foundBy(getIdentity(record).emailNorm) });
  }
  return [...found.values()].toSorted((a, b) => a.id - b.id);
}

export interface Choice {
  /** The person's leads among those found by phone only. */
  samePhone?: readonly number[] | undefined;
  /** The person's leads among those found by another spelling of the mailbox, or by an address that staff corrected. */
  sameMailbox?: readonly number[] | undefined;
  /** The leads that were shown. Without it, they are not checked. */
  shown?: readonly number[] | undefined;
}

/** Leads with the email, and chosen ones. Throws CONFLICT for a chosen lead not found, or a found lead not shown. */
function ownIds(
  found: readonly FoundLead[],
  { samePhone = [], sameMailbox = [], shown }: Choice,
): Set<number> {
  const named = new Set([...samePhone, ...sameMailbox]);
  const own = new Set(
    found.filter(({ id, foundBy }) => foundBy === 'email' || named.has(id)).map(({ id }) => id),
  );
  const seen = shown === undefined ? own : new Set([...shown, ...named]);
  if ([...named].some((id) => !own.has(id)) || [...own].some((id) => !seen.has(id)))
    throw new AppError('CONFLICT', 'More leads were found. Review the list again.');
  return own;
}

/** A lead that is stored, or an email address: of a person whose leads were all purged, only evidence is left. */
export type PersonKey = { leadId: number } | { email: string };

/** A lead or a record that names the person. */
type PersonQuery = KnownPerson &
  Pick<LeadRow, 'firstName' | 'lastName'> & {
    /** Null: only evidence is left. */
    leadId: number | null;
  };

/** The person of a lead: all leads with its email, and the chosen ones with only its phone, mailbox or former address. */
export interface Person extends KnownPerson {
  /** A stored lead of the person: the requested one, or the newest. Null: all were purged. */
  askedId: number | null;
  /** All leads that have or had the email, its mailbox or the phone, other people's included, by ascending id. */
  found: FoundLead[];
  /** By ascending id, deleted and quarantined ones included. */
  leads: LeadRow[];
  /** Evidence of their leads, purged ones included. */
  recordIds: number[];
  /** Of all these leads, purged ones included, in ascending order. */
  leadIds: number[];
}

async function findAskedLead(db: Queryable, leadId: number): Promise<PersonQuery> {
  const [lead] = await db.select().from(leads).where(eq(leads.id, leadId));
  if (lead === undefined) throw notFound('Lead');
  if (lead.erasedAt !== null) throw new AppError('CONFLICT', 'This person was erased already.');
  return { ...lead, leadId };
}

/** The newest lead with the address; without one, the newest evidence. */
async function findAskedEmail(db: Queryable, email: string): Promise<PersonQuery> {
  const { emailNorm } = getIdentity({ email: email.trim() });
  const [lead] = await db
    .select()
    .from(leads)
    .where(and(isLeadOf({ emailNorm }), isNull(leads.erasedAt)))
    .orderBy(desc(leads.id))
    .limit(1);
  if (lead !== undefined) return { ...lead, leadId: lead.id };
  const records = await findRecords(db, { emailNorm }, []);
  for (const record of records.toReversed()) {
    const { phoneE164, ...forms } = getIdentity(record);
    if (phoneE164 !== null && isRecordOf({ emailNorm }, record))
      return { ...record, ...forms, emailNorm, phoneE164, leadId: null };
  }
  const spelled = await db
    .selectDistinct({ email: leads.emailNorm })
    .from(leads)
    .where(and(hasMailbox(getMailbox(emailNorm)), isNull(leads.erasedAt)));
  const spellings = new Set([...spelled, ...records].map((typed) => getIdentity(typed).emailNorm));
  const others =
    spellings.size === 0 ? '' : ` Other spellings of the mailbox: ${[...spellings].toSorted().join(', ')}.`;
  throw new AppError('NOT_FOUND', `No lead and no evidence of consent has this email address.${others}`);
}

/**
 * Finds the person of a lead or an email address. Nobody has proved that a typed phone is theirs, or that another
 * spelling of their mailbox is, or an address that staff corrected in a lead, so leads that share only these belong to
 * the person only if they are chosen. Throws NOT_FOUND, CONFLICT if the person was erased, and what `ownIds` does.
 * Reads all evidence to find that of purged leads: this runs rarely, and an index would cost every lead.
 */
export async function findPerson(db: Queryable, key: PersonKey, choice: Choice = {}): Promise<Person> {
  const asked = 'leadId' in key ? await findAskedLead(db, key.leadId) : await findAskedEmail(db, key.email);
  const { emailNorm, phoneE164: phone, firstEmailNorm, firstPhoneE164 } = asked;
  const rows = await db
    .select()
    .from(leads)
    .where(
      and(
        or(isLeadOf({ emailNorm, phoneE164: phone }), hasMailbox(getMailbox(emailNorm))),
        isNull(leads.erasedAt),
      ),
    )
    .orderBy(asc(leads.id));
  const records = await findRecords(
    db,
    { emailNorm, phoneE164: phone },
    rows.map(({ id }) => id),
  );
  const stored = await findStored(db, rows, records);
  const found = foundLeads(asked, { rows, stored }, records);
  const own = ownIds(found, choice);
  return {
    askedId: asked.leadId,
    emailNorm,
    phoneE164: phone,
    firstEmailNorm,
    firstPhoneE164,
    found,
    leads: [...rows, ...stored].filter(({ id }) => own.has(id)).toSorted((a, b) => a.id - b.id),
    recordIds: records.filter((record) => own.has(record.leadId)).map(({ id }) => id),
    leadIds: [...own],
  };
}

/** Leads that are stored, but were found by their evidence only. */
async function findStored(
  db: Queryable,
  rows: readonly LeadRow[],
  records: readonly FoundRecord[],
): Promise<LeadRow[]> {
  const known = new Set(rows.map(({ id }) => id));
  const ids = [...new Set(records.map(({ leadId }) => leadId))].filter((id) => !known.has(id));
  if (ids.length === 0) return [];
  return db
    .select()
    .from(leads)
    .where(and(inArray(leads.id, ids), isNull(leads.erasedAt)));
}

async function findRecords(
  db: Queryable,
  person: PersonByEmail,
  leadIds: readonly number[],
): Promise<FoundRecord[]> {
  const { id, leadId, firstName, lastName, email, phone, acceptedAt } = consentRecords;
  const mailbox = getMailbox(person.emailNorm);
  const rows = await db
    .select({ id, leadId, firstName, lastName, email, phone, acceptedAt })
    .from(consentRecords)
    .where(
      and(
        or(
          inArray(leadId, [...leadIds]),
          mayBeRecordOf(person),
          eq(mailboxSql(sql`lower(${email})`), mailbox),
        ),
        sql`not exists (select from ${consentErasures} where ${consentErasures.recordId} = ${id})`,
      ),
    )
    .orderBy(asc(id));
  const own = new Set(leadIds);
  return rows.filter(
    (row) => own.has(row.leadId) || isRecordOf(person, row) || getMailbox(row.email) === mailbox,
  );
}

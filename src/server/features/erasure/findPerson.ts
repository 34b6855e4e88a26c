import { and, asc, eq, inArray, isNull, notExists, or, sql } from 'drizzle-orm';
import type { Queryable } from '#server/db/connect.ts';
import { consentErasures, consentRecords, leads, type LeadRow } from '#server/db/schema/index.ts';
import { AppError, notFound } from '#server/errors.ts';
import { isLeadOf, isRecordOf, mayBeRecordOf } from '../identity/identity.ts';
import { type Choice, type FoundLead, foundLeads, type FoundRecord, ownIds } from './foundLeads.ts';

/** The person of a lead: all leads with its email, and the chosen ones with only its phone. */
export interface Person {
  emailNorm: string;
  phoneE164: string;
  /** All leads with the email or the phone, other people's included, by ascending id, and how each was found. */
  found: FoundLead[];
  /** By ascending id, deleted and quarantined ones included. */
  leads: LeadRow[];
  /** Evidence of their leads, purged ones included. */
  recordIds: number[];
  /** Of all these leads, purged ones included, in ascending order. */
  leadIds: number[];
}

/**
 * Finds the person of a lead. Nobody has proved that a typed phone is theirs, so leads that share only the phone belong
 * to the person only if they are chosen. Throws NOT_FOUND 'Lead not found', CONFLICT if the person was erased, and what
 * `ownIds` does. Reads all evidence to find that of purged leads: this runs rarely, and an index would cost every lead.
 */
export async function findPerson(db: Queryable, leadId: number, choice: Choice = {}): Promise<Person> {
  const [asked] = await db.select().from(leads).where(eq(leads.id, leadId));
  if (asked === undefined) throw notFound('Lead');
  if (asked.erasedAt !== null) throw new AppError('CONFLICT', 'This person was erased already.');
  const { emailNorm, phoneE164: phone } = asked;
  const rows = await db
    .select()
    .from(leads)
    .where(and(isLeadOf(asked), isNull(leads.erasedAt)))
    .orderBy(asc(leads.id));
  const records = await findRecords(
    db,
    { emailNorm, phoneE164: phone },
    rows.map(({ id }) => id),
  );
  const found = foundLeads(asked, rows, records);
  const own = ownIds(found, choice);
  return {
    emailNorm,
    phoneE164: phone,
    found,
    leads: rows.filter(({ id }) => own.has(id)),
    recordIds: records.filter((record) => own.has(record.leadId)).map(({ id }) => id),
    leadIds: [...own],
  };
}

async function findRecords(
  db: Queryable,
  person: Pick<Person, 'emailNorm' | 'phoneE164'>,
  leadIds: readonly number[],
): Promise<FoundRecord[]> {
  const { id, leadId, firstName, lastName, email, phone, acceptedAt } = consentRecords;
  const rows = await db
    .select({ id, leadId, firstName, lastName, email, phone, acceptedAt })
    .from(consentRecords)
    .where(
      and(
        or(inArray(leadId, [...leadIds]), mayBeRecordOf(person)),
        notExists(
          db
            .select({ one: sql`1` })
            .from(consentErasures)
            .where(eq(consentErasures.recordId, id)),
        ),
      ),
    )
    .orderBy(asc(id));
  const own = new Set(leadIds);
  return rows.filter((row) => own.has(row.leadId) || isRecordOf(person, row));
}

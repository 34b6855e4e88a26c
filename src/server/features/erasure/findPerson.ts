import { and, asc, eq, inArray, isNull, notExists, or, sql } from 'drizzle-orm';
import type { Queryable } from '#server/db/connect.ts';
import { consentErasures, consentRecords, leads, type LeadRow } from '#server/db/schema/index.ts';
import { AppError, notFound } from '#server/errors.ts';
import { isLeadOf, isRecordOf, mayBeRecordOf } from '../identity/identity.ts';
import { type Choice, type FoundLead, foundLeads, type FoundRecord, ownIds } from './foundLeads.ts';

/** Whoever has the e-mail address of one lead, and of those with its phone alone who is named; not whoever shares theirs in turn. */
export interface Person {
  emailNorm: string;
  phoneE164: string;
  /** By number: all that share either, other people's too, and by what they were found. */
  found: FoundLead[];
  /** By number; deleted and quarantined ones too. */
  leads: LeadRow[];
  /** Of their leads, and of such as are purged. */
  recordIds: number[];
  /** Of all these leads, purged ones too, by number. */
  leadIds: number[];
}

/**
 * Who left a lead, and everything that is theirs. Nobody has proved the phone that was typed: of leads that share it alone those are theirs that are named.
 * Throws NOT_FOUND 'Lead not found', CONFLICT when they were erased, and what `ownIds` does. Evidence of purged leads is found by reading all
 * of it: staff ask seldom, and an index would cost every lead.
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

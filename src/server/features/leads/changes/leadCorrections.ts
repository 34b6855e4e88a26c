import { asc, eq, inArray, max, sql } from 'drizzle-orm';
import type { z } from 'zod';
import type { leadEvent } from '#shared/admin/leadDetail.ts';
import { leadFieldTable } from '#shared/leads/leadFieldTable.ts';
import type { Queryable } from '#server/db/connect.ts';
import { leadCorrections, type LeadCorrectionRow, leads } from '#server/db/schema/index.ts';
import { lockLeads } from '../../outbox/leadStatus.ts';
import type { Person } from '../../identity/identity.ts';

/** Keeps the value that a corrected lead had before. */
export async function storeCorrection(
  tx: Queryable,
  correction: Omit<LeadCorrectionRow, 'id'>,
): Promise<void> {
  await tx.insert(leadCorrections).values(correction);
}

/** Deletes what leads had before, for an erasure. */
export async function deleteCorrections(tx: Queryable, leadIds: readonly number[]): Promise<void> {
  await tx.delete(leadCorrections).where(inArray(leadCorrections.leadId, [...leadIds]));
}

/** What was corrected of a lead, oldest first. */
export function listCorrections(db: Queryable, leadId: number): Promise<LeadCorrectionRow[]> {
  return db
    .select()
    .from(leadCorrections)
    .where(eq(leadCorrections.leadId, leadId))
    .orderBy(asc(leadCorrections.id));
}

/** The email addresses that a lead had before, oldest first, each with when it was corrected. */
export async function listFormerEmails(
  db: Queryable,
  leadId: number,
): Promise<{ email: string; until: Date }[]> {
  const corrections = await listCorrections(db, leadId);
  return corrections.flatMap(({ field, before, at }) =>
    field === 'email' ? [{ email: before, until: at }] : [],
  );
}

/** Whether staff corrected the email address of a lead at least once, even back. */
export async function wasEmailCorrected(db: Queryable, leadId: number): Promise<boolean> {
  return (await listFormerEmails(db, leadId)).length > 0;
}

/** When each of these leads was corrected last. Those that never were are omitted. */
export async function listLastCorrected(
  db: Queryable,
  leadIds: readonly number[],
): Promise<ReadonlyMap<number, Date>> {
  const { leadId, at } = leadCorrections;
  const rows = await db
    .select({ leadId, at: max(at) })
    .from(leadCorrections)
    .where(inArray(leadId, [...leadIds]))
    .groupBy(leadId);
  return new Map(rows.flatMap((row) => (row.at === null ? [] : [[row.leadId, row.at]])));
}

/** The same for the lead's history. */
export async function correctionEvents(db: Queryable, leadId: number): Promise<z.output<typeof leadEvent>[]> {
  return (await listCorrections(db, leadId)).map(({ at, by, field, before }) => ({
    at: at.toISOString(),
    kind: 'corrected',
    by,
    detail: `${leadFieldTable[field].label}, before: ${before}`,
  }));
}

/** A lead's contact details in the form of 1.0.0 and in the current one. */
export interface LeadForms {
  id: number;
  first: Pick<Person, 'emailNorm' | 'phoneE164'>;
  current: Person;
}

/** Stores the current forms of leads that still have those of 1.0.0. Any other lead stays as it is. */
export async function storeCurrentForms(tx: Queryable, forms: readonly LeadForms[]): Promise<void> {
  if (forms.length === 0) return;
  const rows = JSON.stringify(
    forms.map(({ id, first, current }) => ({
      id,
      ...{ email_before: first.emailNorm, phone_before: first.phoneE164 },
      ...{ email_norm: current.emailNorm, phone_e164: current.phoneE164 },
      ...{ first_email_norm: current.firstEmailNorm, first_phone_e164: current.firstPhoneE164 },
    })),
  );
  const ids = forms.map(({ id }) => id);
  await lockLeads(tx, inArray(leads.id, ids));
  await tx.execute(sql`
    update leads set email_norm = form.email_norm, phone_e164 = form.phone_e164, first_email_norm = form.first_email_norm,
      first_phone_e164 = form.first_phone_e164, updated_at = now()
    from json_to_recordset(${rows}::text::json) as form (id bigint, email_before text, phone_before text, email_norm text,
      phone_e164 text, first_email_norm text, first_phone_e164 text)
    where leads.id = form.id and leads.email_norm = form.email_before and leads.phone_e164 = form.phone_before
      and leads.erased_at is null`);
}

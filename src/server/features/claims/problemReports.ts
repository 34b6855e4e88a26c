import { and, exists, inArray, isNotNull, isNull, lt, or, type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '#server/db/connect.ts';
import { purgeRows } from '#server/db/purgeRows.ts';
import { leads, problemReports } from '#server/db/schema/index.ts';

const { id, what, contact, createdAt, doneAt, quarantineReason } = problemReports;

/** Deletes a batch of the reports that staff completed before a time. */
export function purgeDoneReports(db: Queryable, before: Date): Promise<number> {
  return purgeRows(db, id, lt(doneAt, before));
}

/** The same for quarantined reports, by their arrival. */
export function purgeJunkReports(db: Queryable, before: Date): Promise<number> {
  return purgeRows(db, id, and(lt(createdAt, before), isNull(doneAt), isNotNull(quarantineReason)));
}

/** Whether somebody typed the email address or phone number of one of these leads. */
export function isReportOf(db: Queryable, leadIds: readonly number[]): SQL {
  const typed = sql`lower(concat_ws(' ', ${what}, ${contact}))`;
  const number = sql`right(${leads.phoneE164}, 10)`;
  const isTyped = or(
    sql`strpos(${typed}, nullif(${leads.emailNorm}, '')) > 0`,
    sql`length(${number}) = 10 and strpos(regexp_replace(${typed}, '[^0-9]', '', 'g'), ${number}) > 0`,
  );
  return exists(
    db
      .select({ id: leads.id })
      .from(leads)
      .where(and(inArray(leads.id, [...leadIds]), isTyped)),
  );
}

/** Deletes what the person of these leads reported; before their contact data is erased. */
export async function deleteReports(tx: Queryable, leadIds: readonly number[]): Promise<void> {
  await tx.delete(problemReports).where(isReportOf(tx, leadIds));
}

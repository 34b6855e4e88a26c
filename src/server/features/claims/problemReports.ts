import { and, asc, desc, eq, inArray, isNotNull, isNull, lt, ne, or, sql } from 'drizzle-orm';
import { type ProblemList, problemsPageSize } from '#shared/admin/claims.ts';
import type { Queryable } from '#server/db/connect.ts';
import { purgeRows } from '#server/db/purgeRows.ts';
import { consentRecords, leads, problemReports } from '#server/db/schema/index.ts';
import { notFound } from '#server/errors.ts';
import { clearAlert } from '../alerts/alerts.ts';
import { recordAudit } from '../audit/audit.ts';
import type { Actor } from '../auth/actor.ts';
import { getIdentity, isNamedIn, mayBeTypedIn, type Person, personColumns } from '../identity/identity.ts';

const { id, claimId, what, contact, createdAt, doneAt, quarantineReason } = problemReports;

/** Not set aside as spam. */
export const isCounted = or(isNull(quarantineReason), eq(quarantineReason, 'over-limit'));

/** A page of the open reports, newest first; quarantined ones are marked and come last, so that they hide no others. */
export async function listOpenReports(db: Queryable, { page }: { page: number }): Promise<ProblemList> {
  const rows = await db
    .select()
    .from(problemReports)
    .where(isNull(doneAt))
    .orderBy(sql`(${isCounted}) desc`, desc(createdAt), desc(id))
    .limit(problemsPageSize)
    .offset((page - 1) * problemsPageSize);
  const reports = rows.map((row) => ({
    id: row.id,
    created_at: row.createdAt.toISOString(),
    claim: row.claimId,
    what: row.what,
    contact: row.contact,
    host: row.host,
    isSuspect: row.quarantineReason !== null && row.quarantineReason !== 'over-limit',
  }));
  return { reports, total: await db.$count(problemReports, isNull(doneAt)) };
}

interface Completion {
  reportId: number;
  actor: Actor;
  ip: string;
  now: Date;
}

/** Completes a report; its alert ends with the last one of its claim. Throws NOT_FOUND 'Report not found'. */
export async function completeReport(tx: Queryable, { reportId, actor, ip, now }: Completion): Promise<void> {
  const [row] = await tx
    .update(problemReports)
    .set({ doneAt: now, doneBy: actor.name })
    .where(and(eq(id, reportId), isNull(doneAt)))
    .returning({ claim: claimId });
  if (row === undefined) throw notFound('Report');
  await clearDoneAlert(tx, row.claim);
  const subject = { kind: 'problem', id: reportId } as const;
  await recordAudit(tx, { actor, ip, action: 'problem.complete', subject, detail: { claim: row.claim } });
}

/** Ends the alert of a claim, or of no claim, that has no open report any more. */
async function clearDoneAlert(tx: Queryable, claim: string | null): Promise<void> {
  const isSame = claim === null ? isNull(claimId) : eq(claimId, claim);
  const isOpen = and(isSame, isNull(doneAt), isCounted);
  if ((await tx.$count(problemReports, isOpen)) > 0) return;
  await clearAlert(tx, { kind: 'problem-reported', subject: claim ?? '' });
}

/** Deletes a batch of the reports that staff completed before a time. */
export function purgeDoneReports(db: Queryable, before: Date): Promise<number> {
  return purgeRows(db, id, lt(doneAt, before));
}

/** The same for quarantined reports, by their arrival. */
export function purgeJunkReports(db: Queryable, before: Date): Promise<number> {
  return purgeRows(
    db,
    id,
    and(
      lt(createdAt, before),
      isNull(doneAt),
      isNotNull(quarantineReason),
      ne(quarantineReason, 'over-limit'),
    ),
  );
}

/** A person by leads and by evidence of theirs, which is all that is left of purged leads. */
interface PersonIds {
  leadIds: readonly number[];
  recordIds: readonly number[];
}

async function listPersons(db: Queryable, { leadIds, recordIds }: PersonIds): Promise<Person[]> {
  const { email, phone } = consentRecords;
  const stored = await db
    .select(personColumns)
    .from(leads)
    .where(inArray(leads.id, [...leadIds]));
  const records = await db
    .select({ email, phone })
    .from(consentRecords)
    .where(inArray(consentRecords.id, [...recordIds]));
  const typed = records.map((record) => {
    const { phoneE164, ...forms } = getIdentity(record);
    return { ...forms, phoneE164: phoneE164 ?? '' };
  });
  return [...stored, ...typed];
}

/** The IDs of reports in which somebody typed the email address or a phone number of a person, in ascending order. */
export async function listReportIds(db: Queryable, ids: PersonIds): Promise<number[]> {
  const persons = await listPersons(db, ids);
  if (persons.length === 0) return [];
  const rows = await db
    .select({ id, what, contact })
    .from(problemReports)
    .where(or(...persons.flatMap((person) => [what, contact].map((text) => mayBeTypedIn(text, person)))))
    .orderBy(asc(id));
  const isTyped = (text: string): boolean => persons.some((person) => isNamedIn(text, person));
  return rows
    .filter((row) => [row.what, row.contact ?? ''].some((text) => isTyped(text)))
    .map((row) => row.id);
}

/**
 * Deletes what a person reported, before the contact data is erased. An alert ends with the last report of its claim.
 */
export async function deleteReports(tx: Queryable, ids: PersonIds): Promise<void> {
  const reportIds = await listReportIds(tx, ids);
  const deleted = await tx.delete(problemReports).where(inArray(id, reportIds)).returning({ claim: claimId });
  for (const claim of new Set(deleted.map((row) => row.claim))) await clearDoneAlert(tx, claim);
}

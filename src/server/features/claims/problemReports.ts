import { and, asc, eq, exists, inArray, isNotNull, isNull, lt, ne, or, type SQL, sql } from 'drizzle-orm';
import type { ProblemReport } from '#shared/admin/claims.ts';
import type { Queryable } from '#server/db/connect.ts';
import { purgeRows } from '#server/db/purgeRows.ts';
import { leads, problemReports } from '#server/db/schema/index.ts';
import { notFound } from '#server/errors.ts';
import { clearAlert } from '../alerts/alerts.ts';
import { recordAudit } from '../audit/audit.ts';
import type { Actor } from '../auth/actor.ts';

const { id, claimId, what, contact, createdAt, doneAt, quarantineReason } = problemReports;

/** Not set aside as spam. */
export const isCounted = or(isNull(quarantineReason), eq(quarantineReason, 'over-limit'));

const listedMax = 100;

/** The open reports, oldest first. Quarantined ones are marked. */
export async function listOpenReports(db: Queryable): Promise<ProblemReport[]> {
  const rows = await db
    .select()
    .from(problemReports)
    .where(isNull(doneAt))
    .orderBy(asc(createdAt), asc(id))
    .limit(listedMax);
  return rows.map((row) => ({
    id: row.id,
    created_at: row.createdAt.toISOString(),
    claim: row.claimId,
    what: row.what,
    contact: row.contact,
    host: row.host,
    isSuspect: row.quarantineReason !== null && row.quarantineReason !== 'over-limit',
  }));
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
  const isSame = row.claim === null ? isNull(claimId) : eq(claimId, row.claim);
  const isOpen = and(isSame, isNull(doneAt), isCounted);
  if ((await tx.$count(problemReports, isOpen)) === 0)
    await clearAlert(tx, { kind: 'problem-reported', subject: row.claim ?? '' });
  const subject = { kind: 'problem', id: reportId } as const;
  await recordAudit(tx, { actor, ip, action: 'problem.complete', subject, detail: { claim: row.claim } });
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

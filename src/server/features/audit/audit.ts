import { and, eq, gt, sql } from 'drizzle-orm';
import type { AuditAction } from '#shared/admin/audit.ts';
import { minuteMs } from '#shared/formats/time.ts';
import type { Queryable } from '#server/db/connect.ts';
import { auditLog, type AuditLogInsert } from '#server/db/schema/index.ts';
import type { Actor } from '../auth/actor.ts';

/** An actor, a command on the server's own console, or someone who isn't signed in. */
export type AuditActor = Actor | { kind: 'command' | 'visitor'; name: string };

/** What does something by itself, asked by nobody: the log names who did it all the same. */
export const system = { kind: 'command', name: 'System' } as const satisfies AuditActor;

export interface AuditSubject {
  /** `lead`, `provider`, `application`, `token`, `endpoint`, `account`. */
  kind: string;
  id: number | string;
}

interface AuditEntry {
  actor: AuditActor;
  /** Null for a command. */
  ip: string | null;
  action: AuditAction;
  subject: AuditSubject | null;
  /** What was changed, to what. Never contact details: the log outlives what it tells of. */
  detail?: object;
}

function rowOf({ actor, ip, action, subject, detail }: AuditEntry): AuditLogInsert {
  return {
    actorKind: actor.kind,
    actorName: actor.name,
    accountId: actor.kind === 'staff' ? actor.accountId : null,
    tokenId: actor.kind === 'token' ? actor.tokenId : null,
    ip,
    action,
    subjectKind: subject?.kind ?? null,
    subjectId: subject === null ? null : String(subject.id),
    detail: detail ?? null,
  };
}

/** Writes one line of the log; given a transaction, the line is there if and only if what it tells of is. */
export async function recordAudit(db: Queryable, entry: AuditEntry): Promise<void> {
  await db.insert(auditLog).values(rowOf(entry));
}

/**
 * Writes a line unless the same actor, from the same address, has one of the same action and subject that is younger than `withinMs`: for what a
 * page, or a script, may ask for again by itself. Two calls at once may both write.
 */
export async function recordAuditOnce(
  db: Queryable,
  entry: AuditEntry & { subject: AuditSubject },
  withinMs: number,
): Promise<void> {
  const row = rowOf(entry);
  const same = (column: 'accountId' | 'tokenId' | 'ip') =>
    sql`${auditLog[column]} is not distinct from ${row[column]}`;
  const [recent] = await db
    .select({ id: auditLog.id })
    .from(auditLog)
    .where(
      and(
        eq(auditLog.subjectKind, row.subjectKind ?? ''),
        eq(auditLog.subjectId, row.subjectId ?? ''),
        eq(auditLog.action, row.action),
        eq(auditLog.actorKind, row.actorKind),
        eq(auditLog.actorName, row.actorName),
        same('accountId'),
        same('tokenId'),
        same('ip'),
        gt(auditLog.at, sql`now() - make_interval(secs => ${withinMs / 1000})`),
      ),
    )
    .limit(1);
  if (recent === undefined) await db.insert(auditLog).values(row);
}

/** What the page, or the script, asks for again by itself is the same look. */
export const viewedAnewMs = 10 * minuteMs;

/**
 * Records that a script reads a list with contact details: once in ten minutes for each token and address, before anything is read.
 * The dashboard's own lists are not recorded.
 */
export async function auditListAccess(
  { services, actor, ip }: { services: { db: Queryable }; actor: Actor; ip: string },
  action: 'leads.list' | 'applications.list',
): Promise<void> {
  if (actor.kind !== 'token') return;
  const subject = { kind: 'token', id: actor.tokenId };
  await recordAuditOnce(services.db, { actor, ip, action, subject }, viewedAnewMs);
}

/** A line for each of several subjects of one deed, in one statement, each with a detail of its own. None: nothing is written. */
export async function recordAuditOfEach(
  db: Queryable,
  staffAction: Omit<AuditEntry, 'subject' | 'detail'>,
  lines: readonly Pick<AuditEntry, 'subject' | 'detail'>[],
): Promise<void> {
  if (lines.length === 0) return;
  await db.insert(auditLog).values(lines.map((line) => rowOf({ ...staffAction, ...line })));
}

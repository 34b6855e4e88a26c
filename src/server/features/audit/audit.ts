import { and, eq, gt, sql } from 'drizzle-orm';
import type { AuditAction } from '#shared/admin/audit.ts';
import { minuteMs } from '#shared/formats/time.ts';
import type { Queryable } from '#server/db/connect.ts';
import { auditLog, type AuditLogInsert } from '#server/db/schema/index.ts';
import type { Actor } from '../auth/actor.ts';

/** An actor, a command on the server's console, or a person who is not signed in. */
export type AuditActor = Actor | { kind: 'command' | 'visitor'; name: string };

/** The actor of automatic actions, which nobody requested. */
export const system = { kind: 'command', name: 'System' } as const satisfies AuditActor;

/** Anyone who isn't signed in. */
export const visitor = { kind: 'visitor', name: 'Visitor' } as const satisfies AuditActor;

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
  /** What changed, and to which value. Never contact details: the log outlives its subjects. */
  detail?: object;
}

export function toRow({ actor, ip, action, subject, detail }: AuditEntry): AuditLogInsert {
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

/** Writes one entry. In a transaction, the entry exists if and only if the change does. */
export async function recordAudit(db: Queryable, entry: AuditEntry): Promise<void> {
  await db.insert(auditLog).values(toRow(entry));
}

/**
 * Writes an entry, unless the same actor, from the same address, has one with the same action and subject that is
 * younger than `withinMs`. For reads that a page or a script may repeat. Two concurrent calls may both write.
 */
export async function recordAuditOnce(
  db: Queryable,
  entry: AuditEntry & { subject: AuditSubject },
  withinMs: number,
): Promise<void> {
  const row = toRow(entry);
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

/** Repeated reads by a page or a script within this time count as one. */
export const viewedAnewMs = 10 * minuteMs;

/** Records, before reading, that a script reads contact details: once in ten minutes per token and address. */
export async function auditListAccess(
  { services, actor, ip }: { services: { db: Queryable }; actor: Actor; ip: string },
  action: 'leads.list' | 'applications.list',
): Promise<void> {
  if (actor.kind !== 'token') return;
  const subject = { kind: 'token', id: actor.tokenId };
  await recordAuditOnce(services.db, { actor, ip, action, subject }, viewedAnewMs);
}

/** Writes an entry for each subject of one staff action, with its own detail, in one statement. */
export async function recordAuditOfEach(
  db: Queryable,
  staffAction: Omit<AuditEntry, 'subject' | 'detail'>,
  lines: readonly Pick<AuditEntry, 'subject' | 'detail'>[],
): Promise<void> {
  if (lines.length === 0) return;
  await db.insert(auditLog).values(lines.map((line) => toRow({ ...staffAction, ...line })));
}

/** The first and the last character; of a short text the first, and of one character none. */
function masked(text: string): string {
  const characters = text.match(/./gsu) ?? [];
  const [first = '', ...rest] = characters;
  if (characters.length < 2) return '…';
  return rest.length < 3 ? `${first}…` : `${first}…${rest.at(-1) ?? ''}`;
}

/** `m…y@a…r.example`, for the audit log: who knows the address recognizes it, and nobody else can write to it. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  if (at < 0) return masked(email.trim());
  const host = email.slice(at + 1).trim();
  const dot = host.lastIndexOf('.');
  const name = dot < 0 ? masked(host) : `${masked(host.slice(0, dot))}${host.slice(dot)}`;
  return `${masked(email.slice(0, at).trim())}@${name}`;
}

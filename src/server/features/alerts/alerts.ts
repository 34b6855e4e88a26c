import { and, asc, count, eq, ne, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { type AlertKind, alertKinds, alertsListedMax, type OpenAlert } from '#shared/admin/alerts.ts';
import type { Queryable } from '#server/db/connect.ts';
import { alerts, type AlertRow, auditLog } from '#server/db/schema/index.ts';

interface RaisedAlert {
  kind: AlertKind;
  /** What it is about, such as a channel or a provider's id; empty if the kind says it all. Nothing personal. */
  subject?: string;
  /** A sentence for staff without contact details. */
  message: string;
  now: Date;
}

const isAlert = (kind: AlertKind, subject: string): SQL | undefined =>
  and(eq(alerts.kind, kind), eq(alerts.subject, subject));

/** Opens an alert. One that is open keeps its time, and gets the message. */
export async function raiseAlert(
  tx: Queryable,
  { kind, subject = '', message, now }: RaisedAlert,
): Promise<void> {
  await tx
    .insert(alerts)
    .values({ kind, subject, message, since: now })
    .onConflictDoUpdate({
      target: [alerts.kind, alerts.subject],
      set: { message },
      setWhere: ne(alerts.message, message),
    });
}

export async function isAlertOpen(
  db: Queryable,
  { kind, subject = '' }: Pick<RaisedAlert, 'kind' | 'subject'>,
): Promise<boolean> {
  return (await db.$count(alerts, isAlert(kind, subject))) > 0;
}

/** Ends an alert: the fault is gone, or staff dismissed it. Returns whether it was open. */
export async function clearAlert(
  tx: Queryable,
  { kind, subject = '' }: Pick<RaisedAlert, 'kind' | 'subject'>,
): Promise<boolean> {
  return (await tx.delete(alerts).where(isAlert(kind, subject))).count > 0;
}

/** Whether staff ever dismissed such an alert. */
export async function wasDismissed(
  db: Queryable,
  { kind, subject }: { kind: AlertKind; subject: string },
): Promise<boolean> {
  const isDismissal = and(
    eq(auditLog.subjectKind, 'alert'),
    eq(auditLog.subjectId, kind),
    eq(auditLog.action, 'alert.dismiss'),
    eq(sql`${auditLog.detail} ->> 'subject'`, subject),
  );
  return (await db.$count(auditLog, isDismissal)) > 0;
}

const knownKind = z.enum(alertKinds);

/** An alert for staff; null for one of a later version's kinds. */
function toOpenAlert({ kind, subject, message, since }: AlertRow): OpenAlert | null {
  const known = knownKind.safeParse(kind);
  return known.success ? { kind: known.data, subject, message, since: since.toISOString() } : null;
}

/** Open alerts, the oldest first, and how many there are. */
export async function listAlerts(db: Queryable): Promise<{ alerts: OpenAlert[]; total: number }> {
  const rows = await db
    .select()
    .from(alerts)
    .orderBy(asc(alerts.since), asc(alerts.kind), asc(alerts.subject))
    .limit(alertsListedMax);
  return {
    alerts: rows.flatMap((row) => toOpenAlert(row) ?? []),
    total: await db.$count(alerts),
  };
}

/** What the open alerts of a kind are about. */
export async function listAlertSubjects(db: Queryable, kind: AlertKind): Promise<string[]> {
  const rows = await db.select({ subject: alerts.subject }).from(alerts).where(eq(alerts.kind, kind));
  return rows.map(({ subject }) => subject);
}

/** How many alerts are open, for every kind. */
export async function countAlerts(db: Queryable): Promise<{ kind: AlertKind; count: number }[]> {
  const rows = await db.select({ kind: alerts.kind, count: count() }).from(alerts).groupBy(alerts.kind);
  return alertKinds.map((kind) => ({ kind, count: rows.find((row) => row.kind === kind)?.count ?? 0 }));
}

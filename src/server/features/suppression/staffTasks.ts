import { and, asc, eq, inArray, isNull, lt, ne, not, notExists, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { identityNames } from '#shared/admin/leadDetailCopy.ts';
import { taskCopy, taskDecisionNames } from '#shared/admin/taskCopy.ts';
import type { leadEvent } from '#shared/admin/leadDetail.ts';
import { taskDecisions } from '#shared/admin/staffTasks.ts';
import { identityKinds } from '#shared/leads/suppression.ts';
import type { Queryable } from '#server/db/connect.ts';
import { purgeRows } from '#server/db/purgeRows.ts';
import { leads, staffTasks, type StaffTaskRow } from '#server/db/schema/index.ts';
import { isAsDecided, isLeadSuppressed } from './suppressions.ts';

/** About a delivery, or a decision without which nothing is delivered. */
type LeadTaskKind = 'not-reached' | 'message-refused' | 'crm-held' | 'mailbox-withdrawn';

interface TaskOptions {
  identityKey: Buffer;
  now: Date;
}

/**
 * Opens a task for each of these new leads if a person with the same phone and another email withdrew by a link, or
 * staff stopped that email, and it is in force. Skips suppressed leads and those that staff decided about since.
 */
export async function openTasksForNewLeads(
  tx: Queryable,
  leadIds: readonly number[],
  { identityKey, now }: TaskOptions,
): Promise<void> {
  const isSuppressed = isLeadSuppressed(identityKey);
  await tx.execute(sql`
    insert into staff_tasks (kind, lead_id, created_at)
    select 'phone-withdrawn', fresh.id, ${now.toISOString()}::timestamptz
    from leads fresh
    where fresh.id = any (string_to_array(${leadIds.join()}, ',')::bigint[])
      and exists (
        select from ${leads} join consent_withdrawals w on w.lead_id = ${leads.id} and w.how in ('page', 'one-click', 'reply', 'complaint', 'staff')
        where ${leads.phoneE164} = fresh.phone_e164 and ${leads.emailNorm} <> fresh.email_norm and ${isSuppressed}
          and not exists (
            select from staff_tasks t join leads own on own.id = t.lead_id
            where t.kind = 'phone-withdrawn' and own.email_norm = fresh.email_norm and own.phone_e164 = fresh.phone_e164 and t.done_at >= w.at
              and ${isAsDecided('t', ['email', 'phone'])}))
      and not exists (select from ${leads} where ${leads.id} = fresh.id and ${isSuppressed})
    order by fresh.id
    on conflict (kind, lead_id) where done_at is null do nothing`);
}

/** Opens a task for each of these leads, unless one of the kind is open. */
async function openTasks(
  tx: Queryable,
  { kind, where, now }: { kind: StaffTaskRow['kind']; where: SQL | undefined; now: Date },
): Promise<void> {
  const about = tx
    .select({
      kind: sql<StaffTaskRow['kind']>`${kind}::text`.as('kind'),
      leadId: leads.id,
      createdAt: sql<Date>`${now.toISOString()}::timestamptz`.as('created_at'),
    })
    .from(leads)
    .where(where)
    .orderBy(asc(leads.id));
  await tx.execute(sql`
    insert into staff_tasks (kind, lead_id, created_at) ${about}
    on conflict (kind, lead_id) where done_at is null do nothing`);
}

interface PhonesWithdrawn extends TaskOptions {
  /** Of the person who withdrew. */
  emailNorm: string;
  /** Of all their leads. */
  phones: readonly string[];
}

/**
 * Opens a task for each lead that shares a phone of a person who withdrew, under another email: nobody has proved whose
 * phone it is. Leaves out leads that nobody may contact and leads that have an open task.
 */
export async function openPhoneTasks(
  tx: Queryable,
  { emailNorm, phones, identityKey, now }: PhonesWithdrawn,
): Promise<void> {
  const isSharing = and(inArray(leads.phoneE164, [...phones]), ne(leads.emailNorm, emailNorm));
  const where = and(isSharing, isNull(leads.erasedAt), not(isLeadSuppressed(identityKey)));
  await openTasks(tx, { kind: 'phone-withdrawn', where, now });
}

/** Opens a task to read a reply, unless one is open, the lead is erased or purged, or nobody may contact it. */
export async function openReplyTask(
  tx: Queryable,
  leadId: number,
  { identityKey, now }: TaskOptions,
): Promise<void> {
  const where = and(eq(leads.id, leadId), isNull(leads.erasedAt), not(isLeadSuppressed(identityKey)));
  await openTasks(tx, { kind: 'reply-received', where, now });
}

const isUndecided = and(eq(staffTasks.kind, 'mailbox-withdrawn'), isNull(staffTasks.doneAt));

/** The leads that match and wait for such a decision, by ascending id. */
export async function listUndecided(db: Queryable, where: SQL | undefined): Promise<number[]> {
  const rows = await db
    .select({ id: leads.id })
    .from(leads)
    .innerJoin(staffTasks, eq(staffTasks.leadId, leads.id))
    .where(and(where, isUndecided))
    .orderBy(asc(leads.id));
  return rows.map(({ id }) => id);
}

/** Deletes the open tasks of these kinds about leads: nobody decided, so the same question may come again. */
export async function dropOpenTasks(
  tx: Queryable,
  kinds: readonly StaffTaskRow['kind'][],
  leadIds: readonly number[],
): Promise<void> {
  const isOpen = and(inArray(staffTasks.kind, [...kinds]), isNull(staffTasks.doneAt));
  await tx.delete(staffTasks).where(and(inArray(staffTasks.leadId, [...leadIds]), isOpen));
}

/** Opens a task about each of these leads, unless one is open. Erased and deleted leads get none. */
export async function openLeadTasks(
  tx: Queryable,
  { kind, leadIds, now }: { kind: LeadTaskKind; leadIds: readonly number[]; now: Date },
): Promise<void> {
  if (leadIds.length === 0) return;
  const where = and(inArray(leads.id, [...leadIds]), isNull(leads.erasedAt), isNull(leads.deletedAt));
  await openTasks(tx, { kind, where, now });
}

/** Opens a task, once per lead, about further numbers that were left out: staff must not pass them on either. */
export async function openNumberTasks(
  tx: Queryable,
  leadIds: readonly number[],
  { now }: Pick<TaskOptions, 'now'>,
): Promise<void> {
  if (leadIds.length === 0) return;
  const kind = 'number-suppressed';
  const earlier = sql`(select from staff_tasks t where t.kind = ${kind} and t.lead_id = ${leads.id})`;
  const where = and(inArray(leads.id, [...leadIds]), isNull(leads.erasedAt), notExists(earlier));
  await openTasks(tx, { kind, where, now });
}

/** One task, those of leads, or those of a kind of the leads with a number. */
type TaskFilter = { kind?: StaffTaskRow['kind'] } & (
  | { id: number; leadIds?: undefined; phoneE164?: undefined }
  | { leadIds: readonly number[]; id?: undefined; phoneE164?: undefined }
  | { phoneE164: string; id?: undefined; leadIds?: undefined }
);

/** Closes open tasks, in the order of their ids. `by`: a name, 'Visitor' or 'System'. Returns how many. */
export async function closeTasks(
  tx: Queryable,
  { id, kind, leadIds, phoneE164 }: TaskFilter,
  { by, now }: { by: string; now: Date },
): Promise<number> {
  if (leadIds?.length === 0) return 0;
  const ofPhone = tx
    .select({ id: leads.id })
    .from(leads)
    .where(eq(leads.phoneE164, phoneE164 ?? ''));
  const open = tx
    .select({ id: staffTasks.id })
    .from(staffTasks)
    .where(
      and(
        isNull(staffTasks.doneAt),
        id === undefined ? undefined : eq(staffTasks.id, id),
        kind === undefined ? undefined : eq(staffTasks.kind, kind),
        leadIds === undefined ? undefined : inArray(staffTasks.leadId, [...leadIds]),
        phoneE164 === undefined ? undefined : inArray(staffTasks.leadId, ofPhone),
      ),
    )
    .orderBy(staffTasks.id)
    .for('update');
  return (await tx.update(staffTasks).set({ doneAt: now, doneBy: by }).where(inArray(staffTasks.id, open)))
    .count;
}

export async function deleteTasks(tx: Queryable, leadIds: readonly number[]): Promise<void> {
  await tx.delete(staffTasks).where(inArray(staffTasks.leadId, [...leadIds]));
}

/** Deletes a batch of the tasks that were done before a time. Returns how many. */
export function purgeDoneTasks(db: Queryable, before: Date): Promise<number> {
  return purgeRows(db, staffTasks.id, lt(staffTasks.doneAt, before));
}

/** All tasks of a lead, oldest first; open tasks have no `doneAt`. */
export function listLeadTasks(db: Queryable, leadId: number): Promise<StaffTaskRow[]> {
  return db.select().from(staffTasks).where(eq(staffTasks.leadId, leadId)).orderBy(asc(staffTasks.id));
}

/** When tasks were opened, for the lead's history. The audit log has the decisions. */
export function taskEvents(tasks: readonly StaffTaskRow[]): z.output<typeof leadEvent>[] {
  return tasks.map(({ kind, createdAt }) => ({
    at: createdAt.toISOString(),
    kind,
    by: 'System',
    detail: taskCopy[kind].reason,
  }));
}

/** The text of an audit entry `task.complete`, from its detail. */
export const taskText = z
  .object({ decision: z.enum(taskDecisions) })
  .transform(({ decision }) => taskDecisionNames[decision])
  .catch('');

/** The text of an audit entry `suppression.lift`, from its detail. */
export const liftText = z
  .object({ kind: z.enum(identityKinds), reason: z.string() })
  .transform(({ kind, reason }) => `${identityNames[kind]}: ${reason}`)
  .catch('');

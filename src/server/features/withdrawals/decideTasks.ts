import { and, eq, inArray, isNull, or } from 'drizzle-orm';
import type { z } from 'zod';
import type { TaskCompleteInput, taskCompleteOutput } from '#shared/admin/staffTasks.ts';
import { allowsDecision, phoneTaskKinds } from '#shared/admin/staffTasks.ts';
import type { Queryable } from '#server/db/connect.ts';
import { leads, staffTasks } from '#server/db/schema/index.ts';
import { AppError, notFound } from '#server/errors.ts';
import type { LeadAction } from '../leads/changes/leadChanges.ts';
import {
  getIdentity,
  type IdentityKind,
  isLeadOf,
  type Person,
  personColumns,
} from '../identity/identity.ts';
import { recordAudit, recordAuditOfEach } from '../audit/audit.ts';
import { listCorrections } from '../leads/changes/leadCorrections.ts';
import { leadUpdated } from '../leads/leadEvents.ts';
import { releaseHeldForMailbox } from '../outbox/refused/holds.ts';
import { closeTasks, listUndecided } from '../suppression/staffTasks.ts';
import { recordEvents } from '../webhooks/recordEvents.ts';
import { suppress } from './suppress.ts';
import { lockLeads } from '../outbox/leadStatus.ts';
import { stopEmail } from './withdrawByLink.ts';

/**
 * Completes an open task: `stop-phone` lists the lead's phone, `stop-email` its email address, and ends contact with
 * every lead that has it. Both are about the value that the task was opened for, also if staff corrected it since.
 * `keep-serving` and `done` close the task, with the others of a phone number that are one with it, and the former
 * delivers what waited for it. All are in the audit log. Returns the leads that nobody may contact any more. Throws
 * NOT_FOUND 'Task not found', CONFLICT for a task that isn't open, and UNPROCESSABLE_CONTENT for the decision of
 * another kind of task.
 */
export async function completeTask(
  { services: { db, dataKeys, now }, actor, ip }: LeadAction,
  { id, decision }: TaskCompleteInput,
): Promise<z.output<typeof taskCompleteOutput>> {
  const { key: identityKey } = await dataKeys.current('identity');
  return db.transaction(async (tx) => {
    const { leadId, corrected, phoneE164, emailNorm } = await lockLeadsOfTask(tx, id);
    const [open] = await tx
      .select({ kind: staffTasks.kind })
      .from(staffTasks)
      .where(and(eq(staffTasks.id, id), isNull(staffTasks.doneAt)));
    if (open === undefined) throw isDone();
    if (!allowsDecision(open.kind, decision))
      throw new AppError('UNPROCESSABLE_CONTENT', 'This task needs another decision.');
    const subject = { kind: 'lead', id: leadId };
    await recordAudit(tx, { actor, ip, action: 'task.complete', subject, detail: { task: id, decision } });
    if (decision === 'keep-serving' || decision === 'done') {
      const closing = { by: actor.name, now: now() };
      if (open.kind === 'mailbox-withdrawn') await keepServing(tx, emailNorm, closing);
      else if ((await closeTasks(tx, { id }, closing)) === 0) throw isDone();
      const ofPhone = phoneTaskKinds.find((kind) => kind === open.kind);
      if (ofPhone !== undefined) await closeTasks(tx, { kind: ofPhone, phoneE164 }, closing);
      return { id, leadIds: [] };
    }
    const kind = decision === 'stop-phone' ? 'phone' : 'email';
    // With another value since, it is another person's lead.
    const source = corrected[kind] ? null : leadId;
    const said = { identityKey, leadId: source, how: 'staff', by: actor.name, ip, now: now() } as const;
    const reason = 'do-not-contact';
    // Closes all tasks of these leads, after it has locked their deliveries: the other order could deadlock with a
    // withdrawal.
    const leadIds =
      kind === 'phone'
        ? (await suppress(tx, { ...said, reason, person: { phoneE164 } })).leadIds
        : await stopEmail(tx, { emailNorm }, { ...said, reason });
    await closeTasks(tx, { id }, { by: actor.name, now: now() });
    const detail = { listed: [kind] };
    const lines = leadIds.map((of) => ({ subject: { kind: 'lead', id: of }, detail }));
    await recordAuditOfEach(tx, { actor, ip, action: 'lead.suppress' }, lines);
    return { id, leadIds };
  });
}

/** Delivers every lead with an email address that waited for this decision. Integrators get the details they lack. */
async function keepServing(
  tx: Queryable,
  emailNorm: string,
  closing: { by: string; now: Date },
): Promise<void> {
  const leadIds = await listUndecided(tx, eq(leads.emailNorm, emailNorm));
  await releaseHeldForMailbox(tx, leadIds, closing.now);
  const closed = await closeTasks(tx, { kind: 'mailbox-withdrawn', leadIds }, closing);
  if (closed === 0) throw isDone();
  const { id, providerId, quarantinedAt } = leads;
  const kept = await tx.select({ id, providerId, quarantinedAt }).from(leads).where(inArray(id, leadIds));
  await recordEvents(
    tx,
    kept.flatMap((lead) => leadUpdated(lead, ['contact'])),
  );
}

function isDone(): AppError {
  return new AppError('CONFLICT', 'This task is done already.');
}

interface TaskPerson extends Person {
  leadId: number;
  /** What staff corrected since the task was opened. */
  corrected: Record<IdentityKind, boolean>;
}

/** The details that a task's lead had when the task was opened. */
async function personOfTask(tx: Queryable, id: number): Promise<TaskPerson> {
  const [task] = await tx
    .select({ leadId: staffTasks.leadId, openedAt: staffTasks.createdAt, ...personColumns })
    .from(staffTasks)
    .innerJoin(leads, eq(leads.id, staffTasks.leadId))
    .where(eq(staffTasks.id, id));
  if (task === undefined) throw notFound('Task');
  const { leadId, openedAt, emailNorm, phoneE164 } = task;
  const since = (await listCorrections(tx, leadId)).filter(({ at }) => at > openedAt);
  const email = since.find(({ field }) => field === 'email')?.before;
  const phone = since.find(({ field }) => field === 'phone')?.before;
  const typed = getIdentity({ email: email ?? '', phone: phone ?? '' });
  const then = {
    emailNorm: email === undefined ? emailNorm : typed.emailNorm,
    phoneE164: typed.phoneE164 ?? phoneE164,
  };
  const corrected = { email: then.emailNorm !== emailNorm, phone: then.phoneE164 !== phoneE164 };
  return { leadId, ...then, corrected };
}

/**
 * Locks the task's lead, all leads with its phone or email, and those with a phone of the latter, by ascending id, as
 * an erasure does, which deletes tasks.
 */
async function lockLeadsOfTask(tx: Queryable, id: number): Promise<TaskPerson> {
  const task = await personOfTask(tx, id);
  const { emailNorm } = task;
  const phones = tx.select({ phone: leads.phoneE164 }).from(leads).where(eq(leads.emailNorm, emailNorm));
  await lockLeads(tx, or(eq(leads.id, task.leadId), isLeadOf(task), inArray(leads.phoneE164, phones)));
  return task;
}

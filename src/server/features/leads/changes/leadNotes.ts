import { and, asc, eq, gt, inArray, sql } from 'drizzle-orm';
import { noteUndoSeconds } from '#shared/admin/leadActions.ts';
import type { LeadNote } from '#shared/admin/leadDetail.ts';
import type { Queryable } from '#server/db/connect.ts';
import { leadNotes, leads } from '#server/db/schema/index.ts';
import { AppError, notFound } from '#server/errors.ts';
import { recordAudit } from '../../audit/audit.ts';
import { lockLeads } from '../../outbox/leadStatus.ts';
import { recordEvents } from '../../webhooks/recordEvents.ts';
import { leadUpdated } from '../leadEvents.ts';
import { allows } from '../leadStates.ts';
import type { LeadAction } from './leadChanges.ts';

/** What staff noted about a lead, oldest first. */
export async function listNotes(db: Queryable, leadId: number): Promise<LeadNote[]> {
  const { id, at, by, text } = leadNotes;
  const rows = await db
    .select({ id, at, by, text })
    .from(leadNotes)
    .where(eq(leadNotes.leadId, leadId))
    .orderBy(asc(id));
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
}

/** Adds a note. The audit log doesn't have its text. Throws NOT_FOUND, also for a deleted lead. */
export async function addNote(
  { services: { db, now }, actor, ip }: LeadAction,
  { id: leadId, text }: { id: number; text: string },
): Promise<LeadNote> {
  const at = now();
  const note = { at, by: actor.name, text };
  return db.transaction(async (tx) => {
    const [lead] = await lockLeads(tx, and(eq(leads.id, leadId), allows('note')));
    if (lead === undefined) throw notFound('Lead');
    const [added] = await tx
      .insert(leadNotes)
      .values({ leadId, ...note })
      .returning({ id: leadNotes.id });
    if (added === undefined) throw new Error('the note was not stored');
    const subject = { kind: 'lead', id: leadId };
    await recordAudit(tx, { actor, ip, action: 'lead.note', subject, detail: { noteId: added.id } });
    return { ...note, id: added.id, at: at.toISOString() };
  });
}

/** Deletes a note that the same person added a moment ago. Throws CONFLICT for any other. */
export async function undoNote(
  { services: { db, now }, actor, ip }: LeadAction,
  { id: leadId, noteId }: { id: number; noteId: number },
): Promise<void> {
  const since = new Date(now().getTime() - noteUndoSeconds * 1000);
  await db.transaction(async (tx) => {
    const isOwn = and(eq(leadNotes.by, actor.name), gt(leadNotes.at, since));
    const { count } = await tx
      .delete(leadNotes)
      .where(and(eq(leadNotes.id, noteId), eq(leadNotes.leadId, leadId), isOwn));
    if (count === 0) throw new AppError('CONFLICT', 'It’s too late to undo this note.');
    const subject = { kind: 'lead', id: leadId };
    await recordAudit(tx, { actor, ip, action: 'lead.note-undo', subject, detail: { noteId } });
  });
}

/** Deletes what was noted about leads, for an erasure. */
export async function deleteNotes(tx: Queryable, leadIds: readonly number[]): Promise<void> {
  await tx.delete(leadNotes).where(inArray(leadNotes.leadId, [...leadIds]));
}

/** Sets the day on which staff want to look at a lead again, or none. Throws NOT_FOUND, also for a deleted lead. */
export async function setFollowUp(
  { services: { db }, actor, ip }: LeadAction,
  { id, followUpOn }: { id: number; followUpOn: string | null },
): Promise<void> {
  await db.transaction(async (tx) => {
    const [lead] = await lockLeads(tx, and(eq(leads.id, id), allows('note')));
    if (lead === undefined) throw notFound('Lead');
    const [row] = await tx.select({ before: leads.followUpOn }).from(leads).where(eq(leads.id, id));
    const before = row?.before ?? null;
    if (before === followUpOn) return;
    await tx
      .update(leads)
      .set({ followUpOn, updatedAt: sql`now()` })
      .where(eq(leads.id, id));
    await recordEvents(tx, leadUpdated(lead, ['followUpOn']));
    const detail = { followUpOn, before: { followUpOn: before } };
    await recordAudit(tx, { actor, ip, action: 'lead.follow-up', subject: { kind: 'lead', id }, detail });
  });
}

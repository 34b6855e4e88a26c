import { asc, eq } from 'drizzle-orm';
import { z } from 'zod';
import { identityNames, taskDecisionNames, taskCopy } from '#shared/admin/leadCopy.ts';
import type { leadEvent } from '#shared/admin/adminLeads.ts';
import { taskDecisions } from '#shared/admin/staffTasks.ts';
import { identityKinds } from '#shared/leads/suppression.ts';
import type { Queryable } from '#server/db/connect.ts';
import { staffTasks, type StaffTaskRow } from '#server/db/schema/index.ts';

/** Everything that staff were asked to decide about a lead, oldest first; open tasks have no `doneAt`. */
export function listTasksOf(db: Queryable, leadId: number): Promise<StaffTaskRow[]> {
  return db.select().from(staffTasks).where(eq(staffTasks.leadId, leadId)).orderBy(asc(staffTasks.id));
}

/** When staff were asked, for the lead's history. What they decided is in the audit log. */
export function taskEvents(tasks: readonly StaffTaskRow[]): z.output<typeof leadEvent>[] {
  return tasks.map(({ kind, createdAt }) => ({
    at: createdAt.toISOString(),
    kind,
    by: 'System',
    detail: taskCopy.reason,
  }));
}

const decided = z.object({ decision: z.enum(taskDecisions) });
const lifted = z.object({ kind: z.enum(identityKinds), reason: z.string() });

/** What a line `task.complete` of the audit log says. */
export function taskText(detail: unknown): string {
  const told = decided.safeParse(detail).data;
  return told === undefined ? '' : taskDecisionNames[told.decision];
}

/** What a line `suppression.lift` of the audit log says. */
export function liftText(detail: unknown): string {
  const told = lifted.safeParse(detail).data;
  return told === undefined ? '' : `${identityNames[told.kind]}: ${told.reason}`;
}

import { inArray, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { AdminLead } from '#shared/admin/adminLeads.ts';
import {
  openTasksMax,
  phoneTaskKinds,
  type StaffTask,
  staffTask,
  taskLeadsMax,
} from '#shared/admin/staffTasks.ts';
import type { Database, Queryable } from '#server/db/connect.ts';
import { bigintColumn, readRow, readRows, timeColumn } from '#server/db/readRows.ts';
import { leads, staffTasks } from '#server/db/schema/index.ts';
import { readLeads } from '../leads/list/leadList.ts';

/**
 * A page of open tasks with their leads, oldest first. Tasks that one phone number opened are one, named by the oldest.
 * Leaves out tasks of deleted leads. `total` counts all; `next`: the cursor of the page that follows, if there is one.
 */
export async function listOpenTasks(db: Database, cursor = 0) {
  const groups = await listGroups(db, cursor);
  const page = groups.slice(0, openTasksMax);
  const found = await readLeads(
    db,
    page.flatMap(({ leadIds }) => leadIds),
  );
  const byId = new Map(found.map((lead): [number, AdminLead] => [lead.id, lead]));
  const tasks = page.flatMap(({ id, kind, at, leadIds, leadCount }): StaffTask[] => {
    const [lead, ...others] = leadIds.flatMap((leadId) => byId.get(leadId) ?? []);
    if (lead === undefined) return [];
    return [{ id, kind, created_at: at, lead, leads: [lead, ...others], leadCount }];
  });
  const next = groups.length > page.length ? (page.at(-1)?.id ?? null) : null;
  const { total } = await readRow(db, z.object({ total: z.number() }))`
    select count(distinct (kind, shared))::int as total from (${openTasks}) as open`;
  return { tasks, total, next };
}

const taskGroup = z.object({
  id: bigintColumn,
  kind: staffTask.shape.kind,
  at: timeColumn.transform((at) => at.toISOString()),
  /** The oldest. */
  leadIds: z.array(bigintColumn),
  leadCount: z.number(),
});
type TaskGroup = z.output<typeof taskGroup>;

/** Open tasks, each with what its group has in common. */
const openTasks = sql`
  select ${staffTasks.id}, ${staffTasks.kind}, ${staffTasks.leadId}, ${staffTasks.createdAt},
    case when ${inArray(staffTasks.kind, [...phoneTaskKinds])} then ${leads.phoneE164} else ${staffTasks.id}::text end as shared
  from ${staffTasks} join ${leads} on ${leads.id} = ${staffTasks.leadId}
  where ${staffTasks.doneAt} is null and ${leads.deletedAt} is null`;

/** The groups after a task, one more than a page has. */
function listGroups(db: Queryable, cursor: number): Promise<TaskGroup[]> {
  return readRows(db, taskGroup)`
    select min(id) as id, kind, min(created_at) as at, count(*)::int as "leadCount",
      (array_agg(lead_id::text order by id))[1:${taskLeadsMax}] as "leadIds"
    from (${openTasks}) as open group by kind, shared having min(id) > ${cursor}
    order by min(id) limit ${openTasksMax + 1}`;
}

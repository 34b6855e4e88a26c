import { inArray, sql } from 'drizzle-orm';
import type { AdminLead } from '#shared/admin/adminLeads.ts';
import { openTasksMax, phoneTaskKinds, type StaffTask, taskLeadsMax } from '#shared/admin/staffTasks.ts';
import type { Database, Queryable } from '#server/db/connect.ts';
import { leads, staffTasks } from '#server/db/schema/index.ts';
import { readLeads } from '../leads/list/leadList.ts';

interface TaskPage {
  tasks: StaffTask[];
  /** All open tasks. */
  total: number;
  /** The cursor of the page that follows, if there is one. */
  next: number | null;
}

/**
 * A page of open tasks with their leads, oldest first. Tasks that one phone number opened are one, named by the oldest.
 * Leaves out tasks of deleted leads.
 */
export async function listOpenTasks(db: Database, cursor = 0): Promise<TaskPage> {
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
  return { tasks, total: await countGroups(db), next };
}

interface TaskGroup {
  id: number;
  kind: StaffTask['kind'];
  at: string;
  /** The oldest. */
  leadIds: number[];
  leadCount: number;
}

/** Open tasks, each with what its group has in common. */
const openTasks = sql`
  select ${staffTasks.id}, ${staffTasks.kind}, ${staffTasks.leadId}, ${staffTasks.createdAt},
    case when ${inArray(staffTasks.kind, [...phoneTaskKinds])} then ${leads.phoneE164} else ${staffTasks.id}::text end as shared
  from ${staffTasks} join ${leads} on ${leads.id} = ${staffTasks.leadId}
  where ${staffTasks.doneAt} is null and ${leads.deletedAt} is null`;

/** The groups after a task, one more than a page has. */
async function listGroups(db: Queryable, cursor: number): Promise<TaskGroup[]> {
  const rows = await db.execute<{
    id: string;
    kind: StaffTask['kind'];
    at: string;
    lead_ids: string[];
    lead_count: number;
  }>(sql`
    select min(id) as id, kind, min(created_at) as at, count(*)::int as lead_count,
      (array_agg(lead_id::text order by id))[1:${taskLeadsMax}] as lead_ids
    from (${openTasks}) as open group by kind, shared having min(id) > ${cursor}
    order by min(id) limit ${openTasksMax + 1}`);
  return rows.map(({ id, kind, at, lead_ids, lead_count }) => ({
    id: Number(id),
    kind,
    leadCount: lead_count,
    at: new Date(at).toISOString(),
    leadIds: lead_ids.map(Number),
  }));
}

async function countGroups(db: Queryable): Promise<number> {
  const [row] = await db.execute<{ total: number }>(
    sql`select count(distinct (kind, shared))::int as total from (${openTasks}) as open`,
  );
  return row?.total ?? 0;
}

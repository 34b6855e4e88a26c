import { taskCompleteInput, taskCompleteOutput, taskListOutput } from '#shared/admin/staffTasks.ts';
import { router, staffOrToken } from '#server/procedures.ts';
import { auditListAccess } from '../audit/audit.ts';
import { completeTask, listOpenTasks } from './phoneTasks.ts';

export const staffTasksRouter = router({
  list: staffOrToken('viewer', 'leads:read')
    .output(taskListOutput)
    .query(async ({ ctx: { services, staffAction } }) => {
      await auditListAccess(staffAction, 'leads.list');
      return { tasks: await listOpenTasks(services.db) };
    }),

  complete: staffOrToken('manager', 'leads:write')
    .input(taskCompleteInput)
    .output(taskCompleteOutput)
    .mutation(({ ctx, input }) => completeTask(ctx.staffAction, input)),
});

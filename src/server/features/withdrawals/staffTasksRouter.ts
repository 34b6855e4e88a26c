import { taskCompleteInput, taskCompleteOutput, taskListOutput } from '#shared/admin/staffTasks.ts';
import { router, staffOrToken } from '#server/procedures.ts';
import { auditListAccess } from '../audit/audit.ts';
import { completeTask, listOpenTasks } from './phoneTasks.ts';

export const staffTasksRouter = router({
  list: staffOrToken('viewer', 'leads:read')
    .meta({
      rest: {
        method: 'GET',
        path: '/api/tasks',
        summary: 'Open tasks with their leads, oldest first: what only staff can decide',
      },
    })
    .output(taskListOutput)
    .query(async ({ ctx: { services, staffAction } }) => {
      await auditListAccess(staffAction, 'leads.list');
      return { tasks: await listOpenTasks(services.db) };
    }),

  complete: staffOrToken('manager', 'leads:write')
    .meta({
      rest: {
        method: 'POST',
        path: '/api/tasks/{id}/complete',
        summary:
          'Decide a task; `stop-phone` ends the contact of every lead with the phone number, `keep-serving` changes nothing else',
        errors: [409],
      },
    })
    .input(taskCompleteInput)
    .output(taskCompleteOutput)
    .mutation(({ ctx, input }) => completeTask(ctx.staffAction, input)),
});

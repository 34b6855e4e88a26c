import { taskCompleteInput, taskCompleteOutput, taskListOutput } from '#shared/admin/staffTasks.ts';
import { router, staffOrToken } from '#server/procedures.ts';
import { plainAddress } from '../consent/consentHash.ts';
import { auditListAccess } from '../audit/audit.ts';
import { completeTask, listOpenTasks } from './phoneTasks.ts';

export const staffTasksRouter = router({
  list: staffOrToken('viewer', 'leads:read')
    .output(taskListOutput)
    .query(async ({ ctx: { services, caller, actor } }) => {
      await auditListAccess(services.db, { actor, ip: plainAddress(caller.ip), action: 'leads.list' });
      return { tasks: await listOpenTasks(services.db) };
    }),

  complete: staffOrToken('manager', 'leads:write')
    .input(taskCompleteInput)
    .output(taskCompleteOutput)
    .mutation(({ ctx: { services, caller, actor }, input }) =>
      completeTask({ services, actor, ip: plainAddress(caller.ip) }, input),
    ),
});

import { taskCompleteInput, taskCompleteOutput, taskListOutput } from '#shared/staffTasks.ts';
import { router, staffOrToken } from '../../trpc/init.ts';
import { plainAddress } from '../leads/consentHash.ts';
import { tellListing } from '../staff/audit.ts';
import { completeTask, listOpenTasks } from './phoneTasks.ts';

export const staffTasksRouter = router({
  list: staffOrToken('viewer', 'leads:read')
    .output(taskListOutput)
    .query(async ({ ctx: { services, caller, actor } }) => {
      await tellListing(services.db, { actor, ip: plainAddress(caller.ip), action: 'leads.list' });
      return { tasks: await listOpenTasks(services.db) };
    }),

  complete: staffOrToken('manager', 'leads:write')
    .input(taskCompleteInput)
    .output(taskCompleteOutput)
    .mutation(({ ctx: { services, caller, actor }, input }) =>
      completeTask({ services, actor, ip: plainAddress(caller.ip) }, input),
    ),
});

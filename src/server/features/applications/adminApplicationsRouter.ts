import {
  adminApplication,
  adminApplicationListInput,
  adminApplicationListOutput,
  adminApplicationStatusInput,
} from '#shared/applications/adminApplications.ts';
import { router, staffOrToken } from '#server/procedures.ts';
import { auditListAccess } from '../audit/audit.ts';
import { listApplications, setApplicationStatus } from './adminApplicationsQueries.ts';

export const adminApplicationsRouter = router({
  list: staffOrToken('viewer', 'providers:read')
    .input(adminApplicationListInput)
    .output(adminApplicationListOutput)
    .query(async ({ ctx: { services, staffAction }, input }) => {
      await auditListAccess(staffAction, 'applications.list');
      return listApplications(services.db, input);
    }),

  setStatus: staffOrToken('manager', 'providers:write')
    .input(adminApplicationStatusInput)
    .output(adminApplication)
    .mutation(({ ctx, input }) => setApplicationStatus(ctx.staffAction, input)),
});

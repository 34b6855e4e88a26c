import {
  adminApplication,
  adminApplicationListInput,
  adminApplicationListOutput,
  adminApplicationStatusInput,
} from '#shared/applications/adminApplications.ts';
import { router, staffOrToken } from '#server/procedures.ts';
import { plainAddress } from '../consent/consentHash.ts';
import { auditListAccess } from '../audit/audit.ts';
import { listApplications, setApplicationStatus } from './adminApplicationsQueries.ts';

export const adminApplicationsRouter = router({
  list: staffOrToken('viewer', 'providers:read')
    .input(adminApplicationListInput)
    .output(adminApplicationListOutput)
    .query(async ({ ctx: { services, caller, actor }, input }) => {
      const ip = plainAddress(caller.ip);
      await auditListAccess(services.db, { actor, ip, action: 'applications.list' });
      return listApplications(services.db, input);
    }),

  setStatus: staffOrToken('manager', 'providers:write')
    .input(adminApplicationStatusInput)
    .output(adminApplication)
    .mutation(({ ctx: { services, caller, actor }, input }) =>
      setApplicationStatus({ db: services.db, actor, ip: plainAddress(caller.ip) }, input),
    ),
});

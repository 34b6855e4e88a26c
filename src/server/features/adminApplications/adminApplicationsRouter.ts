import {
  adminApplication,
  adminApplicationListInput,
  adminApplicationListOutput,
  adminApplicationStatusInput,
} from '#shared/adminApplications.ts';
import { router, staffOrToken } from '../../trpc/init.ts';
import { plainAddress } from '../leads/consentHash.ts';
import { listApplications, setApplicationStatus } from './adminApplicationsQueries.ts';

export const adminApplicationsRouter = router({
  list: staffOrToken('viewer', 'providers:read')
    .input(adminApplicationListInput)
    .output(adminApplicationListOutput)
    .query(({ ctx, input }) => listApplications(ctx.services.db, input)),

  setStatus: staffOrToken('manager', 'providers:write')
    .input(adminApplicationStatusInput)
    .output(adminApplication)
    .mutation(({ ctx: { services, caller, actor }, input }) =>
      setApplicationStatus({ db: services.db, actor, ip: plainAddress(caller.ip) }, input),
    ),
});

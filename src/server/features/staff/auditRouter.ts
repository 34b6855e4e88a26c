import { auditListInput, auditListOutput } from '#shared/audit.ts';
import { router, staffProcedure } from '../../trpc/init.ts';
import { listAudit } from './auditQueries.ts';

export const auditRouter = router({
  list: staffProcedure('owner')
    .input(auditListInput)
    .output(auditListOutput)
    .query(({ ctx, input }) => listAudit(ctx.services.db, input)),
});

import { auditListInput, auditListOutput } from '#shared/admin/audit.ts';
import { router, staffProcedure } from '#server/procedures.ts';
import { listAudit } from './auditQueries.ts';

export const auditRouter = router({
  list: staffProcedure('owner')
    .input(auditListInput)
    .output(auditListOutput)
    .query(({ ctx, input }) => listAudit(ctx.services.db, input)),
});

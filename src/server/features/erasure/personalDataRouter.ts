import { eraseInput, eraseOutput, personInput, personOutput } from '#shared/admin/erasure.ts';
import { router, staffProcedure } from '#server/procedures.ts';
import { recordAuditOnce, viewedAnewMs } from '../audit/audit.ts';
import { erasePerson } from './erasePerson.ts';
import { findPerson } from './findPerson.ts';

/** Finds and erases a person by one of their leads. The personal data export is personExport.ts, served by features/exports. */
export const personalDataRouter = router({
  find: staffProcedure('owner')
    .input(personInput)
    .output(personOutput)
    .query(async ({ ctx: { services, staffAction }, input }) => {
      const { actor, ip } = staffAction;
      const { found } = await findPerson(services.db, input);
      const subject = { kind: 'lead', id: input.leadId };
      const detail = { found: found.length };
      await recordAuditOnce(services.db, { actor, ip, action: 'person.find', subject, detail }, viewedAnewMs);
      return found.map(({ createdAt, ...lead }) => ({ ...lead, created_at: createdAt.toISOString() }));
    }),

  erase: staffProcedure('owner')
    .meta({ needsRecentSignIn: true })
    .input(eraseInput)
    .output(eraseOutput)
    .mutation(({ ctx, input }) => erasePerson(ctx.staffAction, input)),
});

import { eraseInput, eraseOutput, personInput, personOutput } from '#shared/admin/erasure.ts';
import { router, staffProcedure } from '#server/procedures.ts';
import { erasePerson } from './erasePerson.ts';
import { findPerson } from './findPerson.ts';

/** Finds and erases a person by one of their leads. The personal data export is personExport.ts, served by features/exports. */
export const personalDataRouter = router({
  find: staffProcedure('owner')
    .input(personInput)
    .output(personOutput)
    .query(async ({ ctx: { services }, input }) => {
      const { found } = await findPerson(services.db, input);
      return found.map(({ createdAt, ...lead }) => ({ ...lead, created_at: createdAt.toISOString() }));
    }),

  erase: staffProcedure('owner')
    .input(eraseInput)
    .output(eraseOutput)
    .mutation(({ ctx, input }) => erasePerson(ctx.staffAction, input)),
});

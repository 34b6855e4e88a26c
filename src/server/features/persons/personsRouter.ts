import { eraseInput, eraseOutput, personInput, personOutput } from '#shared/persons.ts';
import { router, staffProcedure } from '../../trpc/init.ts';
import { plainAddress } from '../leads/consentHash.ts';
import { erasePerson } from './erasePerson.ts';
import { findPerson } from './findPerson.ts';

/** A person whole, by one of their leads. The file of everything held is an export (features/exports). */
export const personsRouter = router({
  find: staffProcedure('manager')
    .input(personInput)
    .output(personOutput)
    .query(async ({ ctx: { services }, input: { leadId } }) => {
      const { leads, leadIds } = await findPerson(services.db, leadId);
      return {
        leads: leads.map(({ id, createdAt, deletedAt }) => ({
          id,
          created_at: createdAt.toISOString(),
          deleted: deletedAt !== null,
        })),
        purgedLeads: leadIds.length - leads.length,
      };
    }),

  erase: staffProcedure('owner')
    .input(eraseInput)
    .output(eraseOutput)
    .mutation(({ ctx: { services, caller, actor }, input }) =>
      erasePerson({ services, actor, ip: plainAddress(caller.ip) }, input),
    ),
});

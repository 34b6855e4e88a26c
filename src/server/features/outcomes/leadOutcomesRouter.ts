import { adminLead, outcomeNoteInput } from '#shared/admin/adminLeads.ts';
import { router, staffOrToken } from '#server/procedures.ts';
import { getLead } from '../leads/leadList.ts';
import { recordByStaff } from './recordOutcome.ts';

export const leadOutcomesRouter = router({
  /**
   * What the lead's provider reported, by phone for example. Wrong area: the lead that is answered may have another clinic,
   * or none.
   */
  note: staffOrToken('manager', 'leads:write')
    .meta({
      rest: {
        method: 'POST',
        path: '/api/leads/{id}/outcome',
        summary: 'Record a lead’s outcome',
        description:
          'As the provider’s link does. `wrong-area` reassigns the lead to the next provider, or to none.',
      },
    })
    .input(outcomeNoteInput)
    .output(adminLead)
    .mutation(async ({ ctx: { services, staffAction }, input: { id, outcome } }) => {
      await recordByStaff(staffAction, id, outcome);
      return getLead(services.db, id);
    }),
});

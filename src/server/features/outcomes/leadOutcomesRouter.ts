import { adminLead, outcomeNoteInput } from '#shared/adminLeads.ts';
import { router, staffOrToken } from '../../trpc/init.ts';
import { getLead } from '../adminLeads/leadList.ts';
import { plainAddress } from '../leads/consentHash.ts';
import { noteByStaff } from './noteOutcome.ts';

export const leadOutcomesRouter = router({
  /** What the lead's clinic told, on the telephone say. Wrong area: the lead that is answered may have another clinic, or none. */
  note: staffOrToken('manager', 'leads:write')
    .input(outcomeNoteInput)
    .output(adminLead)
    .mutation(async ({ ctx: { services, caller, actor }, input: { id, outcome } }) => {
      await noteByStaff({ services, actor, ip: plainAddress(caller.ip) }, id, outcome);
      return getLead(services.db, id);
    }),
});

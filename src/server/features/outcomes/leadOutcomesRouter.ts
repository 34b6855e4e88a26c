import { adminLead } from '#shared/admin/adminLeads.ts';
import { leadIdInput, leadOutcomeReports, outcomeNoteInput } from '#shared/admin/leadActions.ts';
import { router, staffOrToken, staffProcedure } from '#server/procedures.ts';
import { auditListAccess } from '../audit/audit.ts';
import { authorFor } from '../auth/actor.ts';
import { leadFor } from '../leads/leadColumns.ts';
import { getLead } from '../leads/list/leadList.ts';
import { listReports } from '../leads/changes/leadOutcomes.ts';
import { recordByStaff, undoByStaff } from './recordOutcome.ts';

export const leadOutcomesRouter = router({
  get: staffOrToken('viewer', 'leads:read')
    .meta({
      rest: {
        method: 'GET',
        path: '/api/leads/{id}/outcome',
        summary: 'Read a lead’s outcome',
        description:
          'The latest outcome, and everything its providers reported, the oldest first. For a token, `by` is `Clinic` or `Staff`.',
      },
    })
    .input(leadIdInput)
    .output(leadOutcomeReports)
    .query(async ({ ctx: { services, actor, staffAction }, input: { id } }) => {
      await auditListAccess(staffAction, 'leads.list');
      const { outcome } = await getLead(services.db, id);
      const reports = await listReports(services.db, id);
      return { outcome, reports: reports.map((report) => ({ ...report, by: authorFor(actor, report.by) })) };
    }),

  /** What its provider reported, such as by phone. Wrong area: the answered lead may have another clinic, or none. */
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
      return leadFor(staffAction.actor, await getLead(services.db, id));
    }),

  /** Takes back the outcome that the same person recorded, while its message is shown. Not `wrong-area`. */
  undo: staffProcedure('manager')
    .input(outcomeNoteInput)
    .output(adminLead)
    .mutation(async ({ ctx: { services, staffAction }, input: { id, outcome } }) => {
      await undoByStaff(staffAction, id, outcome);
      return getLead(services.db, id);
    }),
});

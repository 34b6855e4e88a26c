import { adminLead } from '#shared/admin/adminLeads.ts';
import {
  actionOutcome,
  followUpInput,
  leadIdInput,
  noteInput,
  noteUndoInput,
} from '#shared/admin/leadActions.ts';
import { leadNote } from '#shared/admin/leadDetail.ts';
import { staffOrToken, staffProcedure } from '#server/procedures.ts';
import { authorFor } from '../auth/actor.ts';
import { addNote, setFollowUp, undoNote } from './changes/leadNotes.ts';
import { remindProvider } from './changes/remindProvider.ts';
import { leadFor } from './leadColumns.ts';
import { getLead } from './list/leadList.ts';

/** How staff work with a lead after it was sent; part of `adminLeadsRouter`. */
export const leadWorkProcedures = {
  addNote: staffOrToken('manager', 'leads:write')
    .meta({
      rest: {
        method: 'POST',
        path: '/api/leads/{id}/notes',
        summary: 'Add a note to a lead',
        description:
          'At most 2,000 characters, for staff and scripts. A note can’t be changed. The person’s export has it, and their erasure deletes it.',
      },
    })
    .input(noteInput)
    .output(leadNote)
    .mutation(async ({ ctx: { actor, staffAction }, input }) => {
      const note = await addNote(staffAction, input);
      return { ...note, by: authorFor(actor, note.by) };
    }),

  /** Takes back a note of the same person, while its message is shown. */
  undoNote: staffProcedure('manager')
    .input(noteUndoInput)
    .output(leadIdInput)
    .mutation(async ({ ctx, input }) => {
      await undoNote(ctx.staffAction, input);
      return { id: input.id };
    }),

  followUp: staffOrToken('manager', 'leads:write')
    .meta({
      rest: {
        method: 'PATCH',
        path: '/api/leads/{id}/follow-up',
        summary: 'Set a lead’s follow-up date',
        description: 'The day on which staff want to look at the lead again; null removes it.',
      },
    })
    .input(followUpInput)
    .output(adminLead)
    .mutation(async ({ ctx: { services, staffAction }, input }) => {
      await setFollowUp(staffAction, input);
      return leadFor(staffAction.actor, await getLead(services.db, input.id));
    }),

  /** Sends one email that asks the provider for an outcome, and waits for the mail server. */
  remindProvider: staffProcedure('manager')
    .meta({ noDeadline: true })
    .input(leadIdInput)
    .output(actionOutcome)
    .mutation(({ ctx: { services, staffAction }, input }) =>
      remindProvider({ ...staffAction, services }, input.id),
    ),
};

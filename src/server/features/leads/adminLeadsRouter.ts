import { z } from 'zod';
import {
  type AdminLead,
  adminLead,
  leadFilter,
  leadListInput,
  leadListOutput,
  newIdsInput,
  type UnreachableCause,
} from '#shared/admin/adminLeads.ts';
import { liveIds } from '#shared/admin/staff.ts';
import { candidate, leadDetail } from '#shared/admin/leadDetail.ts';
import { worklistInput, worklistOutput } from '#shared/admin/worklist.ts';
import {
  actionOutcome,
  assignInput,
  assignPreviewInput,
  assignPreviewOutput,
  bulkAssignInput,
  bulkAssignOutput,
  bulkIds,
  bulkLeads,
  bulkOutput,
  candidatesInput,
  leadIdInput,
  undoAssignOutput,
} from '#shared/admin/leadActions.ts';
import { leadCorrectInput } from '#shared/submissions/leadInput.ts';
import { router, type StaffAction, staffOrToken, staffProcedure } from '#server/procedures.ts';
import { auditListAccess } from '../audit/audit.ts';
import { countViewed } from '../audit/auditCounts.ts';
import { expectNamed, listNamedOthers } from './changes/assignment.ts';
import { leadFor } from './leadColumns.ts';
import { leadWorkProcedures } from './leadWork.ts';
import { listCandidates } from './list/candidates.ts';
import { assignLeads, takeAwayLeads } from './changes/assignLeads.ts';
import { changeSelected, retrySyncOfSelected, selectLeads } from './changes/bulkLeads.ts';
import { assignChosen, previewAssignment } from './changes/chooseProviders.ts';
import { correctLead } from './changes/correctLead.ts';
import { expectChanged, releaseLeads, removeLeads, restoreLeads } from './changes/leadChanges.ts';
import { undoAssignments } from './changes/undoAssignments.ts';
import { resendToProviders, retryLead } from './changes/leadRetries.ts';
import { viewLead } from './detail/leadDetail.ts';
import { listUnreachable } from '../mail/unreachableAddresses.ts';
import {
  countingLimits,
  countLeads,
  countWorklist,
  getLead,
  firstPageLimits,
  listLeads,
} from './list/leadList.ts';
import { listNewIds } from './list/newLeads.ts';
import { placeOfZip } from '../matching/zipTable.ts';

const reading = staffOrToken('viewer', 'leads:read');
/** Who may change leads: assign, release, retry, delete and restore. In which state they may, leadStates.ts decides. */
const writing = staffOrToken('manager', 'leads:write');

async function readLead({ services, actor }: StaffAction, id: number): Promise<AdminLead> {
  return leadFor(actor, await getLead(services.db, id));
}

export const adminLeadsRouter = router({
  list: reading
    .meta({
      rest: {
        method: 'GET',
        path: '/api/leads',
        summary: 'List leads',
        description:
          'By filter and page, newest first by default. Above 100,000 leads, or if counting takes too long, the total is a minimum (`totalIsEstimate`).',
      },
    })
    .input(leadListInput)
    .output(leadListOutput)
    .query(async ({ ctx, input }) => {
      await auditListAccess(ctx.staffAction, 'leads.list');
      const limits = ctx.actor.kind === 'staff' ? firstPageLimits : countingLimits;
      const { leads, ...totals } = await listLeads(ctx.services.db, input, limits);
      countViewed(ctx.staffAction, 'leads.list', { rows: leads, search: input.search });
      const addresses = leads.map(({ email }) => email);
      // Without the identity key, as after its secrets were lost, staff still get the list.
      const causes = await listUnreachable(ctx.services, addresses).catch((error: unknown) => {
        ctx.services.log.warn(
          { event: 'leads.bounces-unread', err: error },
          'the list shows no addresses that bounced',
        );
        return new Map<string, UnreachableCause>();
      });
      return {
        leads: leads.map((lead) => ({
          ...leadFor(ctx.actor, lead),
          unreachable: causes.get(lead.email) ?? null,
        })),
        ...totals,
      };
    }),

  /** The total of a list that took too long to count with its first page. */
  total: staffProcedure('viewer')
    .input(leadFilter.extend({ upTo: leadListInput.shape.upTo }))
    .output(leadListOutput.pick({ total: true, totalIsEstimate: true }))
    .query(({ ctx: { services }, input }) => countLeads(services.db, input)),

  /** The newest leads after those that a list knows. Open dashboards ask it if they get no events (rest/events.ts). */
  newIds: staffProcedure('viewer')
    .input(newIdsInput)
    .output(liveIds)
    .query(async ({ ctx: { services }, input }) => ({ ids: await listNewIds(services.db, input.after) })),

  /** How many leads need work by staff, for each filter of the worklist. */
  worklist: reading
    .input(worklistInput)
    .output(worklistOutput)
    .query(({ ctx, input }) => countWorklist(ctx.services.db, input)),

  get: reading
    .meta({
      rest: {
        method: 'GET',
        path: '/api/leads/{id}',
        summary: 'Read a lead',
        description:
          'With its match, consent, outcome, open tasks, history and the nearest providers. A token doesn’t get the names of staff, nor the IP address and browser of the consent. The view is audited.',
      },
    })
    .input(leadIdInput)
    .output(leadDetail)
    .query(({ ctx, input }) => viewLead(ctx.staffAction, input.id)),

  candidates: reading
    .input(candidatesInput)
    .output(z.array(candidate))
    .query(async ({ ctx: { services }, input: { id, search } }) => {
      const { zip_code } = await getLead(services.db, id);
      return listCandidates(services.db, { origin: placeOfZip(services.zipTable, zip_code), search });
    }),

  /**
   * A consent that names another provider than the new one needs a confirmation: with `confirmed: false`, the default,
   * the response is CONFLICT (409) with `reason: 'consent-names-other-provider'` (in tRPC's `data.reason`, in the
   * problem's `reason`) and the message "The consent of this lead names {provider}." A lead whose consent names nobody or
   * the new provider, or that the provider already has, needs none.
   */
  assign: writing
    .meta({
      rest: {
        method: 'PATCH',
        path: '/api/leads/{id}/provider',
        summary: 'Assign a lead to a provider',
        description:
          'The provider must be active. If the lead’s consent names another provider, the response is 409 (`consent-names-other-provider`) unless `confirmed` is true. The assignment is audited, and the new provider gets the lead.',
        errors: [409],
      },
    })
    .input(assignInput)
    .output(adminLead)
    .mutation(async ({ ctx, input: { id, providerId, confirmed } }) => {
      if (!confirmed) expectNamed(await listNamedOthers(ctx.services.db, new Map([[id, providerId]])));
      expectChanged(await assignLeads(ctx.staffAction, [id], providerId));
      return readLead(ctx.staffAction, id);
    }),

  takeAway: writing
    .meta({
      rest: {
        method: 'DELETE',
        path: '/api/leads/{id}/provider',
        summary: 'Take a lead away from its provider',
        description:
          'The lead is unmatched, and what wasn’t sent to the provider is canceled. It is never matched with that provider again automatically.',
      },
    })
    .input(leadIdInput)
    .output(adminLead)
    .mutation(async ({ ctx, input: { id } }) => {
      expectChanged(await takeAwayLeads(ctx.staffAction, [id]));
      return readLead(ctx.staffAction, id);
    }),

  correct: writing
    .meta({
      rest: {
        method: 'PATCH',
        path: '/api/leads/{id}',
        summary: 'Correct a lead',
        description:
          'One of `zip_code`, `phone` and `email` at a time. The history keeps the old value. A provider that has the lead is notified; otherwise a new ZIP code matches it again. 409 if the person asked not to be contacted, or if the lead would move to another provider than its consent names (`consent-names-other-provider`), unless `confirmed` is true.',
        errors: [409],
      },
    })
    .input(leadCorrectInput)
    .output(adminLead)
    .mutation(async ({ ctx, input }) => {
      await correctLead(ctx.staffAction, input);
      return readLead(ctx.staffAction, input.id);
    }),

  remove: writing
    .meta({
      rest: {
        method: 'DELETE',
        path: '/api/leads/{id}',
        summary: 'Delete a lead',
        description:
          'It disappears from lists and exports, and can be restored for 30 days. Its consent evidence stays.',
      },
    })
    .input(leadIdInput)
    .output(leadIdInput)
    .mutation(async ({ ctx, input: { id } }) => {
      expectChanged(await removeLeads(ctx.staffAction, [id]));
      return { id };
    }),

  restore: writing
    .meta({
      rest: {
        method: 'POST',
        path: '/api/leads/{id}/restore',
        summary: 'Restore a deleted lead',
        description: 'Undoes a deletion within 30 days, and returns the lead.',
      },
    })
    .input(leadIdInput)
    .output(adminLead)
    .mutation(async ({ ctx, input: { id } }) => {
      expectChanged(await restoreLeads(ctx.staffAction, [id]));
      return readLead(ctx.staffAction, id);
    }),

  release: writing
    .input(leadIdInput)
    .output(adminLead)
    .mutation(async ({ ctx, input: { id } }) => {
      expectChanged(await releaseLeads(ctx.staffAction, [id]));
      return readLead(ctx.staffAction, id);
    }),

  retrySync: writing
    .meta({
      rest: {
        method: 'POST',
        path: '/api/leads/{id}/retry-sync',
        summary: 'Send a lead to the CRM again',
        description:
          'Waits for the CRM. `success` is false if it refused or did not respond; then `error` says why.',
      },
    })
    .input(leadIdInput)
    .output(actionOutcome)
    .mutation(({ ctx, input }) => retryLead(ctx.staffAction, input.id, 'sync')),

  retryEmail: writing
    .meta({
      rest: {
        method: 'POST',
        path: '/api/leads/{id}/retry-email',
        summary: 'Send the email to a lead again',
        description:
          'Waits for the mail server. `success` is false if the email could not be sent; then `error` says why.',
      },
    })
    .input(leadIdInput)
    .output(actionOutcome)
    .mutation(({ ctx, input }) => retryLead(ctx.staffAction, input.id, 'email')),

  /** How far the leads of a `bulkAssign` would be from their providers. */
  previewAssign: writing
    .input(assignPreviewInput)
    .output(assignPreviewOutput)
    .query(async ({ ctx: { services }, input }) => {
      const ids = await selectLeads(services.db, input);
      return previewAssignment(services, { ids, providerId: input.providerId });
    }),

  /** Without `confirmed`, leads that need a confirmation (see `assign`) are listed and not assigned. */
  bulkAssign: writing
    .input(bulkAssignInput)
    .output(bulkAssignOutput)
    .mutation(async ({ ctx, input }) => {
      const ids = await selectLeads(ctx.services.db, input);
      return assignChosen(ctx.staffAction, { ...input, ids });
    }),

  /** Takes back the latest assignment of leads by the same member of staff, until its deliveries leave. */
  undoAssign: staffProcedure('manager')
    .input(bulkIds)
    .output(undoAssignOutput)
    .mutation(({ ctx, input }) => undoAssignments(ctx.staffAction, input.ids)),

  bulkRemove: writing
    .input(bulkLeads)
    .output(bulkOutput)
    .mutation(({ ctx, input }) => changeSelected(ctx.staffAction, input, removeLeads)),

  bulkRestore: writing
    .input(bulkLeads)
    .output(bulkOutput)
    .mutation(({ ctx, input }) => changeSelected(ctx.staffAction, input, restoreLeads)),

  bulkRelease: writing
    .input(bulkLeads)
    .output(bulkOutput)
    .mutation(({ ctx, input }) =>
      changeSelected(ctx.staffAction, input, (action, ids) => releaseLeads(action, ids)),
    ),

  /** Makes one attempt to send the email about a lead to its provider, or sends it again. */
  resendToProvider: staffProcedure('manager')
    .input(leadIdInput)
    .output(actionOutcome)
    .mutation(({ ctx, input }) => retryLead(ctx.staffAction, input.id, 'provider')),

  bulkResendToProvider: staffProcedure('manager')
    .input(bulkLeads)
    .output(bulkOutput)
    .mutation(({ ctx, input }) => changeSelected(ctx.staffAction, input, resendToProviders)),

  /** Queues the leads, because five hundred attempts take longer than a request may. */
  bulkRetrySync: writing
    .input(bulkLeads)
    .output(actionOutcome)
    .mutation(({ ctx, input }) => retrySyncOfSelected(ctx.staffAction, input)),

  ...leadWorkProcedures,
});

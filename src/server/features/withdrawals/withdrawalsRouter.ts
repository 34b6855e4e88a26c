import { leadIdInput } from '#shared/admin/leadActions.ts';
import {
  suppressionLiftInput,
  suppressionListInput,
  suppressionListOutput,
  suppressOutput,
  unsubscribeInput,
  unsubscribeOutput,
} from '#shared/leads/suppression.ts';
import { publicProcedure, router, staffOrToken, staffProcedure } from '#server/procedures.ts';
import { liftOfLead, markDoNotContact } from './staffSuppression.ts';
import { withdrawByLink } from './withdrawByLink.ts';
import type { Actor } from '../auth/actor.ts';
import {
  type StaffTask,
  taskCompleteInput,
  taskCompleteOutput,
  taskListInput,
  taskListOutput,
} from '#shared/admin/staffTasks.ts';
import { auditListAccess } from '../audit/audit.ts';
import { countViewed } from '../audit/auditCounts.ts';
import { listSuppressions } from '../suppression/listSuppressions.ts';
import { leadFor } from '../leads/leadColumns.ts';
import { completeTask } from './decideTasks.ts';
import { listOpenTasks } from './listTasks.ts';

export const suppressionsRouter = router({
  /** Called by the unsubscribe button of mail programs (RFC 8058): no page, no cookie, no confirmation. */
  unsubscribe: publicProcedure
    .meta({
      cost: 5,
      // The body (`List-Unsubscribe=One-Click`, RFC 8058 section 3.2) adds nothing and is not read.
      rest: {
        method: 'POST',
        path: '/api/unsubscribe',
        summary: 'Withdraw consent by a signed link',
        description: 'As mail programs do (RFC 8058 one-click). The token in the query is the proof.',
        query: unsubscribeInput,
        errors: [404, 429],
      },
    })
    .input(unsubscribeInput)
    .output(unsubscribeOutput)
    .mutation(async ({ ctx: { services, caller }, input }) => {
      const { ip, responseHeaders } = caller;
      await withdrawByLink(services, { link: input, how: 'one-click', ip, responseHeaders });
      return { success: true as const };
    }),
});

export const adminSuppressionsRouter = router({
  list: staffProcedure('manager')
    .meta({
      rest: {
        method: 'GET',
        path: '/api/suppressions',
        summary: 'List suppressions',
        description:
          'Email addresses and phone numbers that nobody may contact, newest first. For managers and owners.',
      },
    })
    .input(suppressionListInput)
    .output(suppressionListOutput)
    .query(async ({ ctx: { services, staffAction }, input }) => {
      const list = await listSuppressions(services, input);
      const shown = list.suppressions.filter(({ value }) => value !== null);
      countViewed(staffAction, 'leads.list', {
        rows: shown.flatMap(({ leadId }) => leadId ?? []).map((id) => ({ id })),
      });
      return list;
    }),

  /** Suppresses the person of a lead. */
  add: staffOrToken('manager', 'leads:write')
    .input(leadIdInput)
    .output(suppressOutput)
    .mutation(({ ctx, input: { id } }) => markDoNotContact(ctx.staffAction, id)),

  /** Lifts the suppression of the email or the phone of a lead. */
  lift: staffProcedure('owner')
    .meta({
      needsRecentSignIn: true,
      rest: {
        method: 'POST',
        path: '/api/leads/{id}/lift-suppression',
        summary: 'Lift a suppression',
        description:
          'Removes a lead’s email address or phone number from the do-not-contact list, with a reason, which is audited. For owners.',
      },
    })
    .input(suppressionLiftInput)
    .output(suppressOutput)
    .mutation(async ({ ctx, input }) => ({
      leadIds: await liftOfLead(ctx.staffAction, input),
    })),
});

/** A task with what an actor may read of its leads. */
function taskFor(actor: Actor, { leads, ...task }: StaffTask): StaffTask {
  return { ...task, lead: leadFor(actor, task.lead), leads: leads.map((lead) => leadFor(actor, lead)) };
}

export const tasksRouter = router({
  list: staffOrToken('viewer', 'leads:read')
    .meta({
      rest: {
        method: 'GET',
        path: '/api/tasks',
        summary: 'List open tasks',
        description:
          'With their leads, oldest first: decisions that only a person can make, such as whether a withdrawn phone number belongs to another lead’s person too. All leads with such a number are one task, which one decision completes. Above 200 the list comes in pages with `Link: rel="next"`; `X-Total-Count` counts all.',
        query: taskListInput,
      },
    })
    .input(taskListInput)
    .output(taskListOutput)
    .query(async ({ ctx: { services, staffAction, caller }, input: { cursor } }) => {
      await auditListAccess(staffAction, 'leads.list');
      const { tasks, total, next } = await listOpenTasks(services.db, cursor);
      caller.responseHeaders.set('X-Total-Count', String(total));
      if (next !== null) caller.responseHeaders.set('Link', `</api/tasks?cursor=${next}>; rel="next"`);
      countViewed(staffAction, 'leads.list', { rows: tasks.map(({ lead }) => lead) });
      return { tasks: tasks.map((task) => taskFor(staffAction.actor, task)) };
    }),

  complete: staffOrToken('manager', 'leads:write')
    .meta({
      rest: {
        method: 'POST',
        path: '/api/tasks/{id}/complete',
        summary: 'Complete a task',
        description:
          '`stop-phone` and `stop-email` stop contact with every lead that has the phone number or email address; `keep-serving` changes nothing else.',
        errors: [409],
      },
    })
    .input(taskCompleteInput)
    .output(taskCompleteOutput)
    .mutation(({ ctx, input }) => completeTask(ctx.staffAction, input)),
});

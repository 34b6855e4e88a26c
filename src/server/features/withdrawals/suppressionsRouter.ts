import { leadIdInput } from '#shared/admin/adminLeads.ts';
import {
  suppressionLiftInput,
  suppressOutput,
  unsubscribeInput,
  unsubscribeOutput,
} from '#shared/leads/suppression.ts';
import { publicProcedure, router, staffOrToken, staffProcedure } from '#server/procedures.ts';
import { markDoNotContact } from './suppressPerson.ts';
import { liftOfLead } from './liftSuppression.ts';
import { withdrawByLink } from './withdrawByLink.ts';

export const suppressionsRouter = router({
  /** What a mail program's own button calls (RFC 8058): no page, no cookie, no question. */
  unsubscribe: publicProcedure
    .meta({
      cost: 5,
      // The body, `List-Unsubscribe=One-Click` as a form of either kind (RFC 8058 section 3.2), adds nothing and is not read.
      rest: {
        method: 'POST',
        path: '/api/unsubscribe',
        summary:
          'Withdraw a consent by the signed link of a message, as mail programs do by themselves (RFC 8058)',
        query: unsubscribeInput,
        errors: [404, 429],
      },
    })
    .input(unsubscribeInput)
    .output(unsubscribeOutput)
    .mutation(async ({ ctx: { services, caller }, input: { token } }) => {
      const { ip, responseHeaders } = caller;
      await withdrawByLink(services, { token, how: 'one-click', ip, responseHeaders });
      return { success: true as const };
    }),

  /** Do not contact: the lead's author, by any of their leads. */
  add: staffOrToken('manager', 'leads:write')
    .input(leadIdInput)
    .output(suppressOutput)
    .mutation(({ ctx, input: { id } }) => markDoNotContact(ctx.staffAction, id)),

  /** Takes the e-mail address or the phone number of a lead off the list. */
  lift: staffProcedure('owner')
    .meta({
      rest: {
        method: 'POST',
        path: '/api/leads/{id}/lift-suppression',
        summary:
          'Take the e-mail address or the phone number of a lead off the list of those whom nobody may contact; owners only',
      },
    })
    .input(suppressionLiftInput)
    .output(suppressOutput)
    .mutation(async ({ ctx, input }) => ({
      leadIds: await liftOfLead(ctx.staffAction, input),
    })),
});

import { formTokenInput, formTokenOutput, leadCreateOutput, leadCreateRequest } from '#shared/leads/leads.ts';
import { publicProcedure, router } from '#server/procedures.ts';
import { createLead } from './intake.ts';

export const leadsRouter = router({
  create: publicProcedure
    .meta({ cost: 5 })
    .input(leadCreateRequest)
    .output(leadCreateOutput)
    .mutation(async ({ ctx, input: { providerId, ...submission } }) => {
      const { body } = await createLead(ctx.services, ctx.caller, submission, providerId ?? null);
      return body;
    }),

  /** For a script-driven form when it is first touched; the plain form carries the page's own token. */
  formToken: publicProcedure
    .input(formTokenInput)
    .output(formTokenOutput)
    .query(({ ctx, input }) => ({
      token: ctx.services.formTokens.issue(input.form),
      minAgeMs: ctx.services.formTokens.minAgeMs,
    })),
});

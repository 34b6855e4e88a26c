import {
  applicationCreateInput,
  applicationCreateOutput,
  applicationFormKey,
} from '#shared/applications/applications.ts';
import { formTokenOutput } from '#shared/leads/leads.ts';
import { publicProcedure, router } from '#server/procedures.ts';
import { createApplication } from './intake.ts';

export const applicationsRouter = router({
  create: publicProcedure
    .meta({
      cost: 5,
      rest: {
        method: 'POST',
        path: '/api/provider-applications',
        status: 201,
        summary: 'Apply to become a provider',
        errors: [429],
      },
    })
    .input(applicationCreateInput)
    .output(applicationCreateOutput)
    .mutation(({ ctx, input }) => createApplication(ctx.services, ctx.caller, input)),

  /** For the script-driven form when it is first touched; the plain form carries the page's own token. */
  formToken: publicProcedure.output(formTokenOutput).query(({ ctx }) => ({
    token: ctx.services.formTokens.issue(applicationFormKey),
    minAgeMs: ctx.services.formTokens.minAgeMs,
  })),
});

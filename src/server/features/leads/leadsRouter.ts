import { z } from 'zod';
import { formTokenInput, formTokenOutput, leadCreateOutput, zipEnteredInput } from '#shared/leads/leads.ts';
import { leadCreateRequest } from '#shared/submissions/leadInput.ts';
import { leadsRefused } from '#server/metrics.ts';
import { fromTrpcError, publicProcedure, router } from '#server/procedures.ts';
import { toFirstVisit } from '../formSteps/firstPage.ts';
import { recordVisitorCall } from './changes/visitorCall.ts';
import { createLead } from './intake/intake.ts';
import { withdrawRequest } from '../withdrawals/withdrawRequest.ts';

const providerIdQuery = z.object({
  providerId: z.string().optional().meta({
    description:
      'Clinic the page was opened for; unknown or inactive: the lead is matched by ZIP. A clinic’s own host wins.',
  }),
});

/** Counts submissions that fail, also those whose input is not valid. */
const countedProcedure = publicProcedure.use(async ({ next }) => {
  const result = await next();
  if (!result.ok) leadsRefused.inc({ reason: fromTrpcError(result.error).code });
  return result;
});

export const leadsRouter = router({
  create: countedProcedure
    .meta({
      cost: 5,
      rest: {
        method: 'POST',
        path: '/api/leads',
        status: 201,
        // The person gets an email only with a form's token or with an API token of this scope.
        optionalScope: 'leads:write',
        summary: 'Submit a lead',
        description:
          'Stores the lead with its consent and matches it with the nearest provider; the response has that provider’s id, if there is one. An equal submission, or one with the same `Idempotency-Key`, gets the first response. Suspected spam is quarantined, not refused.',
        query: providerIdQuery,
        errors: [429],
      },
    })
    .input(leadCreateRequest)
    .output(leadCreateOutput)
    .mutation(async ({ ctx, input: { providerId, ...submission } }) => {
      const { body } = await createLead(ctx.services, ctx.caller, submission, providerId ?? null);
      return body;
    }),

  /** For a script-driven form when first touched, which counts as a start; a plain form carries the page's token. */
  formToken: publicProcedure
    .meta({
      rest: {
        method: 'GET',
        path: '/api/leads/token',
        summary: 'Get a form token',
        description:
          'For a form that is sent by script: it proves when the form was shown, and to whom. A lead without one counts as sent by an API client, which needs none: for `api` the token is empty.',
        withoutDatabase: true,
        errors: [429],
      },
    })
    .input(formTokenInput)
    .output(formTokenOutput)
    .query(async ({ ctx: { services, caller }, input: { form, ...first } }) => {
      const issued = await services.submissions.tokenUses.issue(caller, form);
      if (form !== 'api') services.submissions.formSteps.countStart(form, toFirstVisit(caller.site, first));
      return issued;
    }),

  /** The visitor of a lead called the provider. */
  called: publicProcedure
    .input(z.object({ key: z.string().min(1).max(255) }))
    .output(z.object({ recorded: z.boolean() }))
    .mutation(async ({ ctx: { services, caller }, input: { key } }) => ({
      recorded: await recordVisitorCall(services, caller, key),
    })),

  /** The visitor of a lead withdraws it. The proof is the key that only the browser that sent it knows. */
  withdraw: publicProcedure
    .input(z.object({ key: z.string().min(1).max(255) }))
    .output(z.object({ withdrawn: z.boolean() }))
    .mutation(async ({ ctx: { services, caller }, input: { key } }) => ({
      withdrawn: await withdrawRequest(services, caller, key),
    })),

  /** Counts that a visitor entered a complete ZIP, which isn't sent. */
  zipEntered: publicProcedure
    .input(zipEnteredInput)
    .output(z.object({ counted: z.literal(true) }))
    .mutation(async ({ ctx: { services, caller }, input: { form } }) => {
      await services.submissions.formSteps.countReported(caller.ip, form, 'zip');
      return { counted: true };
    }),
});

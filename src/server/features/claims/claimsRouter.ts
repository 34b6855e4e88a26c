import {
  claimHiddenInput,
  claimListOutput,
  problemIdInput,
  problemListInput,
  problemListOutput,
} from '#shared/admin/claims.ts';
import { problemCreateInput, problemCreateOutput } from '#shared/claims/problemReport.ts';
import { publicProcedure, router, staffProcedure } from '#server/procedures.ts';
import { createProblem } from './createProblem.ts';
import { completeReport, listOpenReports } from './problemReports.ts';
import { listClaims, setClaimHidden } from './hiddenClaims.ts';

export const problemsRouter = router({
  create: publicProcedure
    .meta({
      cost: 5,
      rest: {
        method: 'POST',
        path: '/api/problem-reports',
        status: 201,
        summary: 'Report a problem',
        description: 'Stores a visitor’s report for staff. It can’t be read publicly.',
        errors: [429],
      },
    })
    .input(problemCreateInput)
    .output(problemCreateOutput)
    .mutation(({ ctx, input }) => createProblem(ctx.services, ctx.caller, input)),
});

export const claimsRouter = router({
  list: staffProcedure('viewer')
    .output(claimListOutput)
    .query(({ ctx }) => listClaims(ctx.services.db)),

  /** Takes effect on every process within a second. */
  setHidden: staffProcedure('owner')
    .input(claimHiddenInput)
    .output(claimHiddenInput)
    .mutation(async ({ ctx: { services, staffAction }, input }) => {
      const { actor, ip } = staffAction;
      const hiding = { ...input, actor, ip, now: services.now() };
      await services.db.transaction((tx) => setClaimHidden(tx, hiding));
      return input;
    }),

  /** What visitors typed. */
  listProblems: staffProcedure('manager')
    .input(problemListInput)
    .output(problemListOutput)
    .query(({ ctx, input }) => listOpenReports(ctx.services.db, input)),

  completeProblem: staffProcedure('manager')
    .input(problemIdInput)
    .output(problemIdInput)
    .mutation(async ({ ctx: { services, staffAction }, input }) => {
      const { actor, ip } = staffAction;
      const completion = { reportId: input.id, actor, ip, now: services.now() };
      await services.db.transaction((tx) => completeReport(tx, completion));
      return input;
    }),
});

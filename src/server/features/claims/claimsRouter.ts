import { claimHiddenInput, claimListOutput } from '#shared/admin/claims.ts';
import { router, staffProcedure } from '#server/procedures.ts';
import { listClaims, setClaimHidden } from './hiddenClaims.ts';

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
});

import { z } from 'zod';
import { signInInput, staffMember } from '#shared/admin/staff.ts';
import { mainSiteProcedure, router, staffProcedure } from '#server/procedures.ts';
import { memberOf, signIn, signOut } from './signIn.ts';

export const staffRouter = router({
  signIn: mainSiteProcedure
    .meta({ cost: 10 })
    .input(signInInput)
    .output(staffMember)
    .mutation(({ ctx: { services, caller }, input }) => signIn(services, caller, input)),

  signOut: staffProcedure('viewer')
    .output(z.null())
    .mutation(async ({ ctx: { services, caller, actor } }) => {
      await signOut(services, caller, actor);
      return null;
    }),

  me: staffProcedure('viewer')
    .output(staffMember)
    .query(({ ctx: { services, actor } }) => memberOf(services, actor)),
});

import { z } from 'zod';
import { accountIdInput } from '#shared/admin/access.ts';
import {
  codeInput,
  factorDraft,
  factorInput,
  factorOutput,
  factorStepOutput,
  ownFactor,
  requiredRolesInput,
  teamFactors,
} from '#shared/admin/secondFactor.ts';
import { staffMember } from '#shared/admin/staff.ts';
import { mainSiteProcedure, router, staffProcedure } from '#server/procedures.ts';
import { enterCode, finishFactorStep, startFactorStep } from './totpSteps.ts';
import {
  findOwnFactor,
  findTeamFactors,
  requireFactor,
  resetFactor,
  setUpFactor,
  startSetUp,
  turnOffFactor,
} from './totpActions.ts';

const own = staffProcedure('viewer');
/** A person at somebody else's open session can't take the account over with it. */
const recent = own.meta({ needsRecentSignIn: true });
const owner = staffProcedure('owner');
const recentOwner = owner.meta({ needsRecentSignIn: true });
const step = mainSiteProcedure.meta({ cost: 10 });

/** Between the password or the link and the session, by the step's cookie. */
export const signInStepRouter = router({
  enterCode: step
    .input(codeInput)
    .output(staffMember)
    .mutation(({ ctx: { services, caller }, input }) => enterCode(services, caller, input)),

  start: step
    .output(factorDraft)
    .mutation(({ ctx: { services, caller } }) => startFactorStep(services, caller)),

  finish: step
    .input(factorInput)
    .output(factorStepOutput)
    .mutation(({ ctx: { services, caller }, input }) => finishFactorStep(services, caller, input)),
});

export const secondFactorRouter = router({
  own: own.output(ownFactor).query(({ ctx: { services, actor } }) => findOwnFactor(services.db, actor)),

  /** Stores nothing: `finish` does, with the first code. */
  start: recent.output(factorDraft).mutation(({ ctx: { services, actor } }) => startSetUp(services, actor)),

  /** Ends the account's other sessions. */
  finish: recent
    .input(factorInput)
    .output(factorOutput)
    .mutation(async ({ ctx: { staffAction }, input }) => ({
      recoveryCodes: await setUpFactor(staffAction, input),
    })),

  turnOff: recent.output(z.null()).mutation(async ({ ctx: { staffAction } }) => {
    await turnOffFactor(staffAction);
    return null;
  }),

  team: owner.output(teamFactors).query(({ ctx: { services } }) => findTeamFactors(services.db)),

  /** Ends the sessions of people who must set it up now. */
  requireFor: recentOwner
    .input(requiredRolesInput)
    .output(teamFactors)
    .mutation(({ ctx: { staffAction }, input }) => requireFactor(staffAction, input.roles)),

  /** For a person without the phone and the recovery codes. Ends their sessions and emails them. */
  reset: recentOwner
    .input(accountIdInput)
    .output(z.null())
    .mutation(async ({ ctx: { staffAction }, input }) => {
      await resetFactor(staffAction, input.id);
      return null;
    }),
});

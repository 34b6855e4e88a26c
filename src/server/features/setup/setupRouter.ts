import { setupState, testLeadOutput } from '#shared/admin/setup.ts';
import { router, staffProcedure } from '#server/procedures.ts';
import { readSetup, sendTestLead } from './setup.ts';

export const setupRouter = router({
  get: staffProcedure('viewer')
    .output(setupState)
    .query(({ ctx: { services } }) => readSetup(services)),

  sendTest: staffProcedure('manager')
    .output(testLeadOutput)
    .mutation(({ ctx: { staffAction, caller } }) => sendTestLead(staffAction, caller)),
});

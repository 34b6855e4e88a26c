import { actionOutcome } from '#shared/adminLeads.ts';
import { router, staffOrToken } from '../../trpc/init.ts';
import { plainAddress } from '../leads/consentHash.ts';
import { recordAudit } from '../staff/audit.ts';

export const syncRouter = router({
  /** Nothing to sync from can be configured yet; it says so and never claims a success. */
  run: staffOrToken('manager', 'sync:run')
    .output(actionOutcome)
    .mutation(async ({ ctx: { services, caller, actor } }) => {
      const ip = plainAddress(caller.ip);
      const detail = { success: false };
      await recordAudit(services.db, { actor, ip, action: 'sync.run', subject: null, detail });
      return { success: false as const, error: 'Provider sync is not configured.' };
    }),
});

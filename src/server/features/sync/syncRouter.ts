import { actionOutcome } from '#shared/adminLeads.ts';
import { router, staffOrToken } from '../../trpc/init.ts';

export const syncRouter = router({
  /** Nothing to sync from can be configured yet; it says so and never claims a success. */
  run: staffOrToken('manager', 'sync:run')
    .output(actionOutcome)
    .mutation(() => ({ success: false as const, error: 'Provider sync is not configured.' })),
});

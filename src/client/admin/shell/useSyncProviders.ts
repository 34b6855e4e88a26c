import { adminMessages } from '#shared/admin/copy.ts';
import { adminApi } from '../kit/adminApi.tsx';
import { reportFailure } from '../kit/reports.ts';
import { reportSync } from '#client/admin/providers/sync/reportSync.ts';

/** Asks for a sync of the providers now. */
export function useSyncProviders() {
  const utils = adminApi.useUtils();
  return adminApi.sync.run.useMutation({
    onSuccess: (outcome) => reportSync(outcome, adminMessages.sync),
    onError: (error) => reportFailure(error, adminMessages.sync.failed),
    onSettled: () => Promise.all([utils.sync.invalidate(), utils.adminProviders.invalidate()]),
  });
}

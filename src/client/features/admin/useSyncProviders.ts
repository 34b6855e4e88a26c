import { adminMessages } from '#shared/adminWords.ts';
import { adminApi } from './adminApi.tsx';
import { reportFailure } from './reports.ts';
import { reportSync } from './reportSync.ts';

/** Asks for a sync of the providers now. */
export function useSyncProviders() {
  const utils = adminApi.useUtils();
  return adminApi.sync.run.useMutation({
    onSuccess: (outcome) => reportSync(outcome, adminMessages.sync),
    onError: (error) => reportFailure(error, adminMessages.sync.failed),
    onSettled: () => Promise.all([utils.sync.invalidate(), utils.adminProviders.invalidate()]),
  });
}

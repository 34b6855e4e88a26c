import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { withReport } from '#client/admin/kit/reports.ts';
import type { ProviderGroup } from '#shared/admin/adminProviders.ts';
import { adminMessages } from '#shared/admin/copy.ts';

/** Every provider of a group. */
export function useProviderList(status: ProviderGroup) {
  return adminApi.admin.providers.list.useQuery({ status });
}

/** The number of providers in each group; null while it loads. Both lists contain it; the inactive one is shorter. */
export function useProviderCounts() {
  return useProviderList('inactive').data?.counts ?? null;
}

/** Whether a WordPress site to sync from is configured; null while it loads. */
export function useHasWordPress(): boolean | null {
  const { data } = useProviderList('inactive');
  return data === undefined ? null : data.wordpressUrl !== null;
}

/** Checks whether a provider's domain works; each call checks again. */
export function useCheckDomain() {
  return adminApi.admin.providers.checkDomain.useMutation();
}

/** Sends what is held for a provider whose mailbox refused email. */
export function useSendAgain() {
  const utils = adminApi.useUtils();
  return adminApi.admin.providers.sendAgain.useMutation(
    withReport({
      done: ({ emails }) => adminMessages.sendAgain.done(emails),
      failed: adminMessages.sendAgain.failed,
      refresh: () => Promise.all([utils.admin.providers.list.invalidate(), utils.admin.alerts.invalidate()]),
    }),
  );
}

/** Changes the settings that the sync does not write. */
export function useUpdateProvider(onSaved: () => void) {
  const utils = adminApi.useUtils();
  return adminApi.admin.providers.update.useMutation(
    withReport({
      ...adminMessages.saveProvider,
      onDone: onSaved,
      refresh: () => utils.admin.providers.list.invalidate(),
    }),
  );
}

import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { reportFailure, reportSuccess } from '#client/admin/kit/reports.ts';
import type { ProviderGroup } from '#shared/admin/adminProviders.ts';
import { adminMessages } from '#shared/admin/copy.ts';

/** Every provider of a group. */
export function useProviderList(status: ProviderGroup) {
  return adminApi.adminProviders.list.useQuery({ status });
}

/** How many there are of each; null until that is known. They come with either list, and the inactive one is the shorter. */
export function useProviderCounts() {
  return useProviderList('inactive').data?.counts ?? null;
}

/** Asks whether a clinic's domain works; each call asks anew. */
export function useCheckDomain() {
  return adminApi.adminProviders.checkDomain.useMutation();
}

/** Changes what is set here and not by the sync. */
export function useUpdateProvider(onSaved: () => void) {
  const utils = adminApi.useUtils();
  return adminApi.adminProviders.update.useMutation({
    onSuccess: () => {
      onSaved();
      reportSuccess(adminMessages.saveProvider.done);
    },
    onError: (error) => reportFailure(error, adminMessages.saveProvider.failed),
    onSettled: () => utils.adminProviders.list.invalidate(),
  });
}

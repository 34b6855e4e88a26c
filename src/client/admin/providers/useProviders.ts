import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { withReport } from '#client/admin/kit/withReport.ts';
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
  return adminApi.adminProviders.update.useMutation(
    withReport({
      ...adminMessages.saveProvider,
      onDone: onSaved,
      refresh: () => utils.adminProviders.list.invalidate(),
    }),
  );
}

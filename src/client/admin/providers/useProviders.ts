import { adminApi } from '#client/admin/kit/adminApi.tsx';
import type { ProviderGroup } from '#shared/admin/adminProviders.ts';

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

import { useMemo } from 'react';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { type ProviderGroup, providerSearch } from '#shared/admin/adminProviders.ts';
import { useSearchParams } from '#client/admin/kit/useSearchParams.ts';

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

/** The listed and exported group of providers, kept in the URL. */
export function useProviderGroup(): [ProviderGroup, (group: ProviderGroup) => void] {
  const { values, change } = useSearchParams(providerSearch);
  return [values.group, (group) => change({ group })];
}

/** What came of each provider's leads; undefined while it loads, and if that fails. */
export function useProviderFigures() {
  const { data } = adminApi.admin.providers.figures.useQuery();
  return useMemo(() => data && new Map(data.providers.map((row) => [row.id, row])), [data]);
}

export function providersCsvHref(group: ProviderGroup): string {
  return `/api/providers.csv?status=${group}`;
}

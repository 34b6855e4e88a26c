import { useSearchParams } from '#client/admin/kit/useSearchParams.ts';
import { type ProviderGroup, providerSearch } from '#shared/admin/adminProviders.ts';

/** The listed and exported group of providers, kept in the URL. */
export function useProviderGroup(): [ProviderGroup, (group: ProviderGroup) => void] {
  const { values, show } = useSearchParams(providerSearch);
  return [values.group, (group) => show({ group })];
}

/** The CSV of a group. */
export function providersCsvHref(group: ProviderGroup): string {
  return `/api/providers.csv?status=${group}`;
}

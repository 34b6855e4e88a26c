import { useSearchParams } from 'wouter';
import { type ProviderGroup, providerGroups } from '#shared/admin/adminProviders.ts';

/** Which providers are listed and exported: kept in the address. */
export function useProviderGroup(): [ProviderGroup, (group: ProviderGroup) => void] {
  const [params, setParams] = useSearchParams();
  const group = providerGroups.find((one) => one === params.get('group')) ?? 'active';
  function choose(next: ProviderGroup): void {
    setParams((now) => {
      const changed = new URLSearchParams(now);
      if (next === 'active') changed.delete('group');
      else changed.set('group', next);
      return changed;
    });
  }
  return [group, choose];
}

/** Where the CSV of a group is. */
export function providersCsvHref(group: ProviderGroup): string {
  return `/api/providers.csv?status=${group}`;
}

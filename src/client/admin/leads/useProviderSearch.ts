import { adminApi } from '#client/admin/kit/adminApi.tsx';
import type { AdminProvider } from '#shared/admin/adminProviders.ts';

/** Another word finds fewer. */
const providersFoundMax = 50;

/** The first providers that match the text, active before inactive. */
export function useProviderSearch(text: string): { found: AdminProvider[]; isSearching: boolean } {
  const search = text.trim();
  const input = { search, limit: providersFoundMax };
  const options = { enabled: search !== '' };
  const active = adminApi.adminProviders.list.useQuery({ ...input, status: 'active' }, options);
  const inactive = adminApi.adminProviders.list.useQuery({ ...input, status: 'inactive' }, options);
  const both = [active, inactive].flatMap(({ data }) => data?.providers ?? []);
  return {
    found: search === '' ? [] : both.slice(0, providersFoundMax),
    isSearching: active.isFetching || inactive.isFetching,
  };
}

import { useEffect, useState } from 'react';
import { fetchMatchedProvider, findKnownProvider } from '#client/api/matchedProvider.ts';
import { showWhenLoaded } from '#client/ui/deferred.tsx';
import type { ProviderView } from '#shared/providers/tenant.ts';

/** Fetches a provider on a page reached without a full load. Null if there is none, or while `id` is null. */
export function useFetchedProvider(id: number | null): ProviderView | null | 'loading' {
  const [fetched, setFetched] = useState<{ id: number; provider: ProviderView | null } | null>(() => {
    const provider = id === null ? null : findKnownProvider(id);
    return provider === null ? null : { id: provider.id, provider };
  });
  useEffect(() => {
    if (id === null) return undefined;
    return showWhenLoaded(fetchMatchedProvider(id), (provider) => setFetched({ id, provider }));
  }, [id]);
  if (id === null) return null;
  return fetched?.id === id ? fetched.provider : 'loading';
}

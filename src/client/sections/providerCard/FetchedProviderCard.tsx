import { ApiProvider, trpc } from '#client/api/trpcHooks.tsx';
import { toTenantView } from '#shared/providers/tenant.ts';
import { LoadingProvider, ProviderNearYou } from './ProviderNearYou.tsx';

/** The card of a provider that is fetched, on a page reached without a full load. */
export function FetchedProviderCard({ id }: { id: number }) {
  return (
    <ApiProvider>
      <QueriedProviderCard id={id} />
    </ApiProvider>
  );
}

function QueriedProviderCard({ id }: { id: number }) {
  const { data, isPending } = trpc.providers.get.useQuery({ id });
  if (isPending) return <LoadingProvider />;
  return <ProviderNearYou provider={data === undefined ? null : toTenantView(data, null)} />;
}

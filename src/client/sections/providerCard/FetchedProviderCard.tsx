import { ApiProvider, trpc } from '#client/api/trpcHooks.tsx';
import { toTenantView } from '#shared/providers/tenant.ts';
import { LoadingClinic, ProviderNearYou } from './ProviderNearYou.tsx';

/** The card of a clinic the page came without: asked of the server once, on a page reached without a full load. */
export function FetchedClinicCard({ id }: { id: number }) {
  return (
    <ApiProvider>
      <QueriedClinicCard id={id} />
    </ApiProvider>
  );
}

function QueriedClinicCard({ id }: { id: number }) {
  const { data, isPending } = trpc.providers.get.useQuery({ id });
  if (isPending) return <LoadingClinic />;
  return <ProviderNearYou clinic={data === undefined ? null : toTenantView(data, null)} />;
}

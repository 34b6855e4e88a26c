import { useState } from 'react';
import { styled } from 'styled-components';
import { LoadFailure } from '#client/admin/kit/LoadFailure.tsx';
import { SyncStatus } from './sync/SyncStatus.tsx';
import { media } from '#client/theme/tokens.ts';
import { Card } from '#client/ui/Section.tsx';
import { Skeleton } from '#client/ui/Skeleton.tsx';
import type { AdminProvider } from '#shared/admin/adminProviders.ts';
import { providerCopy } from './copy.ts';
import { adminMessages } from '#shared/admin/copy.ts';
import { ProviderDomain } from './ProviderDomain.tsx';
import { ProviderList } from './ProviderList.tsx';
import { ProviderSettings } from './ProviderSettings.tsx';
import { ProvidersMap } from './ProvidersMap.tsx';
import { useProviderGroup, useProviderList, useSearchedProvider } from './useProviders.ts';

type OpenDialog = { kind: 'settings' | 'domain'; id: number };

const skeletonRows = [1, 2, 3, 4, 5] as const;

/** The last sync, the list of one group of providers, and all providers on the map. */
export function ProvidersTab({ canChange }: { canChange: boolean }) {
  return (
    <>
      <SyncStatus canChange={canChange} />
      <Providers canChange={canChange} />
    </>
  );
}

function Providers({ canChange }: { canChange: boolean }) {
  const active = useProviderList('active');
  const inactive = useProviderList('inactive');
  const [group, setGroup] = useProviderGroup();
  const firstSearch = useSearchedProvider();
  const [open, setOpen] = useState<OpenDialog | null>(null);
  const error = active.error ?? inactive.error;
  if (error !== null)
    return (
      <LoadFailure
        error={error}
        fallback={adminMessages.providersFailed}
        onRetry={() => void Promise.all([active.refetch(), inactive.refetch()])}
      />
    );
  if (active.data === undefined || inactive.data === undefined) return <Waiting />;
  const lists = { active: active.data.providers, inactive: inactive.data.providers };
  const chosen = findProvider([lists.active, lists.inactive], open?.id ?? null);
  return (
    <Cards>
      <ProviderList
        key={firstSearch}
        lists={lists}
        firstSearch={firstSearch}
        group={group}
        onGroup={setGroup}
        row={{
          wordpressUrl: active.data.wordpressUrl,
          onDomain: (id) => setOpen({ kind: 'domain', id }),
          onSettings: canChange ? (id) => setOpen({ kind: 'settings', id }) : null,
        }}
      />
      <ProvidersMap lists={lists} />
      {chosen !== null && open?.kind === 'settings' ? (
        <ProviderSettings
          key={chosen.id}
          provider={chosen}
          defaultRadiusMiles={active.data.defaultRadiusMiles}
          onClose={() => setOpen(null)}
        />
      ) : null}
      {chosen !== null && open?.kind === 'domain' ? (
        <ProviderDomain key={chosen.id} provider={chosen} onClose={() => setOpen(null)} />
      ) : null}
    </Cards>
  );
}

function findProvider(lists: readonly AdminProvider[][], id: number | null): AdminProvider | null {
  if (id === null) return null;
  return lists.flat().find((provider) => provider.id === id) ?? null;
}

function Waiting() {
  return (
    <Cards aria-busy="true">
      <SkeletonCard>
        <output>{providerCopy.loading}</output>
        {skeletonRows.map((row) => (
          <Skeleton key={row} />
        ))}
      </SkeletonCard>
      <SkeletonCard aria-hidden="true">
        <Skeleton $width="40%" />
        <Skeleton />
      </SkeletonCard>
    </Cards>
  );
}

const Cards = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 1.25rem;
  align-items: start;

  ${media.desktop} {
    grid-template-columns: repeat(2, minmax(0, 1fr));
  }
`;

const SkeletonCard = styled(Card)`
  display: grid;
  gap: 1.5rem;
`;

import { styled } from 'styled-components';
import { ActionButton } from '#client/admin/kit/ActionButton.tsx';
import { LoadFailure } from '#client/admin/kit/LoadFailure.tsx';
import { useSearchParams } from '#client/admin/kit/useSearchParams.ts';
import { UploadDialog } from './sync/UploadDialog.tsx';
import { uploadCopy } from './sync/copy.ts';
import { SyncStatus } from './sync/SyncStatus.tsx';
import { media } from '#client/theme/tokens.ts';
import { Card } from '#client/ui/Section.tsx';
import { Skeleton } from '#client/ui/Skeleton.tsx';
import { type AdminProvider, openProviderSearch } from '#shared/admin/adminProviders.ts';
import { providerCopy } from './copy.ts';
import { adminMessages } from '#shared/admin/copy.ts';
import { ProviderDomain } from './ProviderDomain.tsx';
import { ProviderList } from './ProviderList.tsx';
import { ProviderForm } from './ProviderForm.tsx';
import { ProviderSettings } from './ProviderSettings.tsx';
import { ProvidersMap } from './ProvidersMap.tsx';
import { useProviderGroup, useProviderList, useSearchedProvider } from './useProviders.ts';

const skeletonRows = [1, 2, 3, 4, 5] as const;

/** The last sync, the list of one group of providers, and all providers on the map. */
export function ProvidersTab({ canChange }: { canChange: boolean }) {
  return (
    <>
      <SyncStatus canChange={canChange}>{canChange ? <AddButtons /> : null}</SyncStatus>
      <Providers canChange={canChange} />
    </>
  );
}

function Providers({ canChange }: { canChange: boolean }) {
  const active = useProviderList('active');
  const inactive = useProviderList('inactive');
  const [group, setGroup] = useProviderGroup();
  const firstSearch = useSearchedProvider();
  const { values: open, show } = useSearchParams(openProviderSearch);
  const close = (): void => show({});
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
  const chosen = findProvider([lists.active, lists.inactive], open.provider ?? null);
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
          onDomain: (id) => show({ provider: id, form: 'domain' }),
          onDetails: canChange ? (id) => show({ provider: id, form: 'details' }) : null,
          onSettings: canChange ? (id) => show({ provider: id, form: 'settings' }) : null,
        }}
      />
      <ProvidersMap lists={lists} />
      {chosen !== null && canChange && open.form === 'settings' ? (
        <ProviderSettings
          key={chosen.id}
          provider={chosen}
          defaultRadiusMiles={active.data.defaultRadiusMiles}
          onClose={close}
        />
      ) : null}
      {canChange && (open.form === 'add' || (chosen !== null && open.form === 'details')) ? (
        <ProviderForm
          key={open.form === 'add' ? 'add' : chosen?.id}
          provider={open.form === 'add' ? null : chosen}
          wordpressUrl={active.data.wordpressUrl}
          onClose={(id) => show(id === undefined ? {} : { provider: id, form: 'details' })}
        />
      ) : null}
      {chosen !== null && open.form === 'domain' ? (
        <ProviderDomain key={chosen.id} provider={chosen} onClose={close} />
      ) : null}
    </Cards>
  );
}

function AddButtons() {
  const { values, show } = useSearchParams(openProviderSearch);
  return (
    <>
      <ActionButton onClick={() => show({ form: 'add' })}>{providerCopy.form.add}</ActionButton>
      <ActionButton onClick={() => show({ form: 'upload' })}>{uploadCopy.open}</ActionButton>
      {values.form === 'upload' ? <UploadDialog onClose={() => show({})} /> : null}
    </>
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

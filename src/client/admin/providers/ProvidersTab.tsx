import { useState } from 'react';
import { styled } from 'styled-components';
import { ActionButton } from '#client/admin/kit/ActionButton.tsx';
import { Stack } from '#client/admin/kit/layout.tsx';
import { LoadFailure } from '#client/admin/kit/LoadFailure.tsx';
import { useSearchParams } from '#client/admin/kit/useSearchParams.ts';
import { UploadDialog } from './sync/UploadDialog.tsx';
import { uploadCopy } from './sync/copy.ts';
import { SyncStatus } from './sync/SyncStatus.tsx';
import { media } from '#client/theme/tokens.ts';
import { Skeleton } from '#client/ui/Skeleton.tsx';
import { openProviderSearch, providerParts, providerSearch } from '#shared/admin/adminProviders.ts';
import { providerCopy } from './copy.ts';
import { adminMessages } from '#shared/admin/copy.ts';
import { AddProvider } from './ProviderForm.tsx';
import { ProviderList } from './ProviderList.tsx';
import type { RowContext } from './ProviderRow.tsx';
import { ProvidersMap } from './ProvidersMap.tsx';
import { ProviderPage } from './page/ProviderPage.tsx';
import { useProviderFigures, useProviderGroup, useProviderList } from './useProviders.ts';

const skeletonRows = [1, 2, 3, 4, 5] as const;

/** The last sync, the list of one group of providers, and all providers on the map; or the page of one provider. */
export function ProvidersTab({ canChange }: { canChange: boolean }) {
  const { values, show, buildHref } = useSearchParams(openProviderSearch);
  const { provider, form } = values;
  const [lastId, setLastId] = useState<number | null>(null);
  if (provider !== undefined && provider !== lastId) setLastId(provider);
  if (provider !== undefined)
    return (
      <ProviderPage
        key={provider}
        id={provider}
        part={providerParts.find((part) => part === form)}
        canChange={canChange}
        backHref={buildHref({})}
      />
    );
  return (
    <>
      <SyncStatus canChange={canChange}>
        {canChange ? (
          <>
            <ActionButton onClick={() => show({ form: 'add' })}>{providerCopy.form.add}</ActionButton>
            <ActionButton onClick={() => show({ form: 'upload' })}>{uploadCopy.open}</ActionButton>
          </>
        ) : null}
      </SyncStatus>
      <Providers
        canChange={canChange}
        lastId={lastId}
        buildHref={(id, part) => buildHref({ provider: id, form: part })}
      />
      {canChange && form === 'add' ? (
        <AddProvider onClose={(id) => show(id === undefined ? {} : { provider: id, form: 'details' })} />
      ) : null}
      {canChange && form === 'upload' ? <UploadDialog onClose={() => show({})} /> : null}
    </>
  );
}

function Providers(row: Pick<RowContext, 'canChange' | 'lastId' | 'buildHref'>) {
  const active = useProviderList('active');
  const inactive = useProviderList('inactive');
  const [group, setGroup] = useProviderGroup();
  const { values, show } = useSearchParams(providerSearch);
  const figures = useProviderFigures();
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
  return (
    <Cards>
      <ProviderList
        lists={lists}
        search={values.find ?? ''}
        onSearch={(find) => show({ ...values, find }, true)}
        group={group}
        onGroup={setGroup}
        row={{ ...row, figures, wordpressUrl: active.data.wordpressUrl }}
      />
      <ProvidersMap lists={lists} buildHref={row.buildHref} />
    </Cards>
  );
}

function Waiting() {
  return (
    <Cards aria-busy="true">
      <Stack>
        <output>{providerCopy.loading}</output>
        {skeletonRows.map((row) => (
          <Skeleton key={row} />
        ))}
      </Stack>
      <Stack aria-hidden="true">
        <Skeleton $width="40%" />
        <Skeleton />
      </Stack>
    </Cards>
  );
}

const Cards = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 2rem;
  align-items: start;

  ${media.desktop} {
    grid-template-columns: repeat(2, minmax(0, 1fr));
  }
`;

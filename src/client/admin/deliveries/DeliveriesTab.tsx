import { useRef, useState } from 'react';
import { styled } from 'styled-components';
import { useNow } from '#client/admin/kit/RelativeTime.tsx';
import { EmptyState } from '#client/admin/kit/EmptyState.tsx';
import { PageFooter } from '#client/admin/kit/PageFooter.tsx';
import { zoneText } from '#client/admin/kit/times.ts';
import { LoadFailure } from '#client/admin/kit/LoadFailure.tsx';
import { useStaff } from '#client/admin/kit/staffContext.tsx';
import { useOpenLead } from '#client/admin/kit/useOpenLead.ts';
import { SelectionBar } from '#client/admin/kit/SelectionBar.tsx';
import { type Selection, useSelection } from '#client/admin/kit/useSelection.ts';
import { Button } from '#client/ui/Button.tsx';
import { type AdminDelivery, deliveriesPageSize } from '#shared/admin/adminDeliveries.ts';
import { leadCopy } from '#shared/admin/leadCopy.ts';
import { includesRole } from '#shared/admin/staff.ts';
import { AttemptsDialog } from './AttemptsDialog.tsx';
import { deliveryListCopy as copy } from './copy.ts';
import { isFiltered } from './deliverySearchParams.ts';
import { DeliveryFilters } from './DeliveryFilters.tsx';
import { isSelectable } from './DeliveryRow.tsx';
import { DeliveryTable } from './DeliveryTable.tsx';
import { QueueFigures } from './QueueFigures.tsx';
import { useDeliveryList, useRetryDeliveries } from './useDeliveries.ts';
import { useDeliverySearchParams } from './useDeliverySearchParams.ts';
import { useKeptFocus } from './useKeptFocus.ts';

const none: readonly AdminDelivery[] = [];

/** Every delivery with its state, attempts and retry. Viewers only look; webhooks are visible to owners only. */
export function DeliveriesTab() {
  const { role } = useStaff();
  const canRetry = includesRole(role, 'manager');
  const { filter, page, setFilter, setPage, hrefOfFilter } = useDeliverySearchParams();
  const { hrefOf: hrefOfLead } = useOpenLead();
  const { data, error, isPlaceholderData, refetch } = useDeliveryList({ filter, page });
  const retry = useRetryDeliveries();
  const now = useNow();
  const [shown, setShown] = useState<AdminDelivery | null>(null);
  const list = useRef<HTMLDivElement>(null);
  useKeptFocus(list);
  const deliveries = data?.deliveries ?? none;
  const selection = useSelection(canRetry ? deliveries.filter(isSelectable) : none);
  const pages = Math.max(1, Math.ceil((data?.total ?? 0) / deliveriesPageSize));
  return (
    <Panel>
      <QueueFigures hrefOf={hrefOfFilter} />
      <DeliveryFilters filter={filter} isOwner={includesRole(role, 'owner')} onFilter={setFilter} />
      <LoadFailure error={error} fallback={copy.loadFailed} onRetry={() => void refetch()} />
      <List ref={list}>
        {data?.deliveries.length === 0 ? (
          <EmptyState
            copy={copy.empty}
            kind={data.total > 0 ? 'past' : isFiltered(filter) ? 'filtered' : 'none'}
            onFirstPage={() => setPage(1)}
            onClear={() => setFilter({})}
          />
        ) : error === null || data !== undefined ? (
          <DeliveryTable
            deliveries={data?.deliveries ?? null}
            isRefreshing={isPlaceholderData}
            now={now}
            hrefOfLead={hrefOfLead}
            selection={canRetry ? selection : null}
            busyIds={retry.isPending ? retry.variables.ids : []}
            onShowAttempts={setShown}
            onRetry={(id) => retry.mutate({ ids: [id] })}
          />
        ) : null}
        <RetryBar
          selection={selection}
          isBusy={retry.isPending}
          onRetry={() => retry.mutate({ ids: selection.ids }, { onSuccess: selection.clear })}
        />
      </List>
      {data === undefined ? null : (
        <PageFooter
          total={copy.total(data.total, data.totalIsLeast)}
          label={copy.pager}
          page={page}
          pages={pages}
          onPage={setPage}
        >
          <p>{leadCopy.zone(zoneText(now))}</p>
        </PageFooter>
      )}
      <AttemptsDialog delivery={shown} onClose={() => setShown(null)} />
    </Panel>
  );
}

interface RetryBarProps {
  selection: Selection<string>;
  isBusy: boolean;
  onRetry: () => void;
}

/** The button that retries the selected deliveries. */
function RetryBar({ selection: { ids, clear }, isBusy, onRetry }: RetryBarProps) {
  if (ids.length === 0) return <SelectionBar label={copy.bulk.label} count="" />;
  return (
    <SelectionBar label={copy.bulk.label} count={copy.bulk.count(ids.length)}>
      {/* aria-disabled keeps the focus on the button during its request. */}
      <Button size="small" aria-disabled={isBusy} onClick={() => (isBusy ? undefined : onRetry())}>
        {copy.bulk.retry(ids.length)}
      </Button>
      <Button variant="quiet" size="small" onClick={clear}>
        {copy.bulk.clear}
      </Button>
    </SelectionBar>
  );
}

const Panel = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 1rem;
`;

const List = styled(Panel)``;

import { type RefObject, useEffect, useRef, useState } from 'react';
import { styled } from 'styled-components';
import { ActionButton } from '#client/admin/kit/ActionButton.tsx';
import { DataTable } from '#client/admin/kit/DataTable.tsx';
import { deliveryPrefix } from '#client/admin/kit/DeliveriesLink.tsx';
import { emptyKind, EmptyState } from '#client/admin/kit/EmptyState.tsx';
import { LoadFailure } from '#client/admin/kit/LoadFailure.tsx';
import { PageFooter } from '#client/admin/kit/PageFooter.tsx';
import { useNow } from '#client/admin/kit/RelativeTime.tsx';
import { SelectionBar } from '#client/admin/kit/SelectionBar.tsx';
import { Stack } from '#client/admin/kit/layout.tsx';
import { type Selection, useSelection } from '#client/admin/kit/listHooks.ts';
import { useStaff } from '#client/admin/kit/staffContext.tsx';
import { zoneText } from '#client/admin/kit/times.ts';
import { useOpenLead, useSearchParams } from '#client/admin/kit/useSearchParams.ts';
import { stackBelow, Table } from '#client/ui/Table.tsx';
import { type AdminDelivery, deliveriesPageSize, deliverySearch } from '#shared/admin/adminDeliveries.ts';
import { leadCopy } from '#shared/admin/leadCopy.ts';
import { includesRole } from '#shared/admin/staff.ts';
import { AttemptsDialog } from './AttemptsDialog.tsx';
import { deliveryName } from './DeliveryCells.tsx';
import { DeliveryFilters, isFiltered } from './DeliveryFilters.tsx';
import { QueueFigures } from './QueueFigures.tsx';
import { deliveryListCopy as copy } from './copy.ts';
import { deliveryColumns, isSelectable } from './deliveryColumns.tsx';
import { useDeliveryList, useRetryDeliveries, useRetryDelivery } from './useDeliveries.ts';

const none: readonly AdminDelivery[] = [];

/** Every delivery with its state, attempts and retry. Viewers only read; webhooks are visible to owners only. */
export function DeliveriesTab() {
  const { role } = useStaff();
  const canRetry = includesRole(role, 'manager');
  const { values, show, change, buildHref } = useSearchParams(deliverySearch, deliveryPrefix);
  const { page, ...filter } = values;
  const { buildHref: buildLeadHref } = useOpenLead();
  const { data, error, isPlaceholderData, refetch } = useDeliveryList(values);
  // Nothing to filter and no pages before the first delivery.
  const isUnused = data?.total === 0 && page === 1 && !isFiltered(filter);
  const retry = useRetryDeliveries();
  const retryOne = useRetryDelivery();
  const now = useNow();
  const [attemptsOf, setAttemptsOf] = useState<AdminDelivery | null>(null);
  const list = useRef<HTMLDivElement>(null);
  useFocusInRow(list);
  const selection = useSelection((data?.deliveries ?? none).filter(isSelectable));
  const busyIds = [
    ...(retry.isPending ? retry.variables.ids : []),
    ...(retryOne.isPending ? [retryOne.variables.id] : []),
  ];
  const onRetry = canRetry ? (id: string) => retryOne.mutate({ id }) : null;
  return (
    <Stack>
      <QueueFigures buildHref={buildHref} />
      {isUnused ? null : (
        <DeliveryFilters filter={filter} isOwner={includesRole(role, 'owner')} onFilter={show} />
      )}
      <LoadFailure error={error} fallback={copy.loadFailed} onRetry={() => void refetch()} />
      <Stack ref={list}>
        {error === null || data !== undefined ? (
          <DataTable
            caption={copy.caption}
            loading={copy.loading}
            columns={deliveryColumns({ now, buildLeadHref, busyIds, onShowAttempts: setAttemptsOf, onRetry })}
            rows={data?.deliveries ?? null}
            getAttributes={({ id }) => ({ 'data-delivery': id })}
            busyIds={busyIds}
            isBusy={isPlaceholderData}
            empty={
              <EmptyState
                copy={copy.empty}
                kind={emptyKind(data?.total ?? 0, isFiltered(filter))}
                onFirstPage={() => change({ page: 1 })}
                onClear={() => show({})}
              />
            }
            as={Deliveries}
            selection={
              onRetry === null
                ? null
                : {
                    state: selection,
                    allLabel: copy.selectAll,
                    buildLabel: (delivery) => copy.select(deliveryName(delivery)),
                    isSelectable,
                  }
            }
          />
        ) : null}
        <RetryBar
          selection={selection}
          isBusy={retry.isPending}
          onRetry={() => retry.mutate({ ids: selection.ids }, { onSuccess: selection.clear })}
        />
      </Stack>
      {data === undefined || isUnused ? null : (
        <PageFooter
          total={copy.total(data.total, data.totalIsLeast)}
          label={copy.pager}
          page={page}
          pages={Math.max(1, Math.ceil(data.total / deliveriesPageSize))}
          onPage={(wanted) => change({ page: wanted })}
        >
          <p>{leadCopy.zone(zoneText(now))}</p>
        </PageFooter>
      )}
      <AttemptsDialog delivery={attemptsOf} onClose={() => setAttemptsOf(null)} />
    </Stack>
  );
}

/** Its columns fit beside each other from 58rem. */
const Deliveries = styled(Table)`
  && :is(th, td) {
    padding-inline: 0.375rem;
  }

  ${stackBelow('58rem')}
`;

interface RetryBarProps {
  selection: Selection<string>;
  isBusy: boolean;
  onRetry: () => void;
}

function RetryBar({ selection: { ids, clear }, isBusy, onRetry }: RetryBarProps) {
  if (ids.length === 0) return <SelectionBar label={copy.bulk.label} count="" />;
  return (
    <SelectionBar label={copy.bulk.label} count={copy.bulk.count(ids.length)}>
      <ActionButton variant="primary" isBusy={isBusy} onClick={onRetry}>
        {copy.bulk.retry(ids.length)}
      </ActionButton>
      <ActionButton variant="quiet" onClick={clear}>
        {copy.bulk.clear}
      </ActionButton>
    </SelectionBar>
  );
}

interface Focused {
  element: HTMLElement;
  /** The delivery of the element's row. */
  id: string | undefined;
}

/** If a render removes the focused element, the focus stays in its row (`data-delivery`) or moves to the list. */
function useFocusInRow(list: RefObject<HTMLElement | null>): void {
  const last = useRef<Focused | null>(null);
  useEffect(() => {
    function onFocus({ target }: FocusEvent): void {
      const isInside = target instanceof HTMLElement && list.current?.contains(target) === true;
      last.current = isInside
        ? { element: target, id: target.closest<HTMLElement>('[data-delivery]')?.dataset['delivery'] }
        : null;
    }
    document.addEventListener('focusin', onFocus);
    return () => document.removeEventListener('focusin', onFocus);
  }, [list]);
  // Runs after each render.
  useEffect(() => {
    if (last.current === null || last.current.element.isConnected) return;
    const { id } = last.current;
    last.current = null;
    if (document.activeElement !== null && document.activeElement !== document.body) return;
    const row = id === undefined ? null : list.current?.querySelector(`[data-delivery="${id}"]`);
    const target =
      row?.querySelector<HTMLElement>('a[href], button') ??
      list.current?.querySelector<HTMLElement>('[tabindex]');
    target?.focus({ preventScroll: true });
  });
}

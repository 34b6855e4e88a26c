import { useRef } from 'react';
import { styled } from 'styled-components';
import { useNow } from '#client/features/admin/Moment.tsx';
import { NothingListed } from '#client/features/admin/NothingListed.tsx';
import { PageFooter } from '#client/features/admin/PageFooter.tsx';
import { zoneText } from '#client/features/admin/times.ts';
import { LoadFailure } from '#client/features/admin/LoadFailure.tsx';
import { useStaff } from '#client/features/adminGate/staffContext.tsx';
import { LeadDrawer } from '#client/features/adminLeads/LeadDrawer.tsx';
import { useLeadView } from '#client/features/adminLeads/useLeadView.ts';
import { useSelection } from '#client/features/adminLeads/useSelection.ts';
import { type AdminDelivery, deliveriesPageSize } from '#shared/adminDeliveries.ts';
import { deliveryListWords as words } from '#shared/adminDeliveryWords.ts';
import { leadWords } from '#shared/adminLeadWords.ts';
import { includesRole } from '#shared/staff.ts';
import { isFiltered } from './deliveryAddress.ts';
import { DeliveryFilters } from './DeliveryFilters.tsx';
import { DeliveryTable } from './DeliveryTable.tsx';
import { QueueFigures } from './QueueFigures.tsx';
import { RetryBar } from './RetryBar.tsx';
import { useDeliveryList, useRetryDeliveries } from './useDeliveries.ts';
import { useDeliveryView } from './useDeliveryView.ts';
import { useKeptFocus } from './useKeptFocus.ts';

const none: readonly AdminDelivery[] = [];

/** What is sent about leads, how far it is, and the way to have it tried again; viewers only look. */
export function DeliveriesTab() {
  const canRetry = includesRole(useStaff().role, 'manager');
  const { view, setFilter, setPage, hrefOfFilter } = useDeliveryView();
  const leads = useLeadView();
  const { data, error, isPlaceholderData, refetch } = useDeliveryList(view);
  const retry = useRetryDeliveries();
  const now = useNow();
  const list = useRef<HTMLDivElement>(null);
  useKeptFocus(list);
  const deliveries = data?.deliveries ?? none;
  const selection = useSelection(canRetry ? deliveries.filter(({ isRetryable }) => isRetryable) : none);
  const pages = Math.max(1, Math.ceil((data?.total ?? 0) / deliveriesPageSize));
  return (
    <Room>
      <QueueFigures hrefOf={hrefOfFilter} />
      <DeliveryFilters filter={view.filter} onFilter={setFilter} />
      <LoadFailure error={error} fallback={words.loadFailed} onRetry={() => void refetch()} />
      <List ref={list}>
        {data?.deliveries.length === 0 ? (
          <NothingListed
            words={words.empty}
            kind={data.total > 0 ? 'past' : isFiltered(view.filter) ? 'filtered' : 'none'}
            onFirstPage={() => setPage(1)}
            onClear={() => setFilter({})}
          />
        ) : error === null || data !== undefined ? (
          <DeliveryTable
            deliveries={data?.deliveries ?? null}
            isRefreshing={isPlaceholderData}
            now={now}
            hrefOfLead={leads.hrefOf}
            selection={canRetry ? selection : null}
            busyIds={retry.isPending ? retry.variables.ids : []}
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
          total={words.total(data.total, data.totalIsLeast)}
          label={words.pager}
          page={view.page}
          pages={pages}
          onPage={setPage}
        >
          <p>{leadWords.zone(zoneText(now))}</p>
        </PageFooter>
      )}
      {leads.view.lead === null ? null : (
        <LeadDrawer
          id={leads.view.lead}
          canChange={canRetry}
          hrefOf={leads.hrefOf}
          onClose={leads.closeLead}
        />
      )}
    </Room>
  );
}

const Room = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 1rem;
`;

const List = styled(Room)``;

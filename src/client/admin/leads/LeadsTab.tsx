import { useRef } from 'react';
import { LoadFailure } from '#client/admin/kit/LoadFailure.tsx';
import { PageFooter } from '#client/admin/kit/PageFooter.tsx';
import { useNow } from '#client/admin/kit/RelativeTime.tsx';
import { SetupList } from '#client/admin/kit/SetupList.tsx';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { Stack } from '#client/admin/kit/layout.tsx';
import { useListTop } from '#client/admin/kit/listHooks.ts';
import { zoneText } from '#client/admin/kit/times.ts';
import { useIsPhone } from '#client/admin/kit/useIsPhone.ts';
import { useOpenLead } from '#client/admin/kit/useSearchParams.ts';
import { useShortcuts } from '#client/admin/kit/useShortcuts.ts';
import { SmallTitle } from '#client/ui/Section.tsx';
import { type AdminLead, leadsPageSize } from '#shared/admin/adminLeads.ts';
import { adminMessages } from '#shared/admin/copy.ts';
import { leadCopy } from '#shared/admin/leadCopy.ts';
import { setupCopy } from '#shared/admin/setup.ts';
import { AlertList } from './AlertList.tsx';
import { BulkBar } from './BulkBar.tsx';
import { ReassignDialog } from './ConfirmDialog.tsx';
import { LeadTable } from './LeadTable.tsx';
import { LeadToolbar } from './LeadToolbar.tsx';
import { LeadViews } from './LeadViews.tsx';
import { NewLeadsBar } from './NewLeadsBar.tsx';
import { filterQuery, useLeadSearch } from './leadSearch.ts';
import { rowKeys } from './rowKeys.ts';
import { useBulk, useBulkSelection } from './useBulk.ts';
import { useLeadActions } from './useLeadActions.ts';
import { listInput, useLeadList, useLeadTotals } from './useLeads.ts';
import type { NewLeads } from './useNewLeads.ts';

const noLeads: readonly AdminLead[] = [];

interface LeadsTabProps {
  canChange: boolean;
  hasShortcuts: boolean;
  newLeads: NewLeads;
}

/** All leads, forty per page; before the first one, what is left to set up. */
export function LeadsTab({ canChange, hasShortcuts, newLeads }: LeadsTabProps) {
  const control = useLeadSearch();
  const { filter, page } = control;
  const isPhone = useIsPhone();
  const { all } = useLeadTotals(control);
  const input = listInput(control);
  const list = useLeadList(input);
  const { buildHref: buildLeadHref } = useOpenLead();
  const search = useRef<HTMLInputElement>(null);
  const results = useRef<HTMLDivElement>(null);
  const now = useNow();
  const { data } = list;
  const setPage = (wanted: number): void => control.setPage(wanted, data?.newestId ?? null);
  const leads = data?.leads ?? noLeads;
  const pages = Math.max(1, Math.ceil((data?.total ?? 0) / leadsPageSize));
  const selection = useBulkSelection(input, data);
  const { actions, busyId, reassignment } = useLeadActions(input, leads, results);
  const bulk = useBulk(selection.rows.clear, results);
  const isDeleted = filter.deleted === true;
  const isViewEmpty = data?.total === 0 && filterQuery({ ...filter, search: undefined }) !== '';
  const isEmpty = data?.total === 0 && filterQuery(filter) === '';
  const setup = adminApi.admin.setup.get.useQuery(undefined, { enabled: isEmpty }).data;
  useListTop(page, results);
  useShortcuts(
    {
      // What was searched before is replaced by what is typed.
      '/': () => search.current?.select(),
      '[': () => setPage(Math.max(1, Math.min(page - 1, pages))),
      ']': () => setPage(Math.min(page + 1, pages)),
      ...rowKeys,
    },
    hasShortcuts,
  );
  if (isEmpty && setup?.hasLeads === false)
    return (
      <Stack>
        <AlertList canDismiss={canChange} onEnd={() => results.current?.focus({ preventScroll: true })} />
        <NewLeadsBar newLeads={newLeads} onLoad={() => undefined} />
        <div ref={results} tabIndex={-1}>
          <SmallTitle as="h2">{setupCopy.noLeads}</SmallTitle>
          <p>{setupCopy.intro}</p>
        </div>
        <SetupList state={setup} canChange={canChange} />
      </Stack>
    );
  return (
    <Stack $gap="0.5rem">
      <LeadViews search={control} all={all} now={now} />
      <AlertList canDismiss={canChange} onEnd={() => results.current?.focus({ preventScroll: true })} />
      <LeadToolbar
        search={control}
        isPhone={isPhone}
        searchRef={search}
        providerName={nameIn(leads)}
        isCurrent={!list.isFetching}
        onSearchAll={isViewEmpty ? (text) => control.setFilter({ search: text }) : null}
      />
      <NewLeadsBar newLeads={newLeads} onLoad={() => results.current?.focus({ preventScroll: true })} />
      <LoadFailure
        error={list.error}
        fallback={adminMessages.leadsFailed}
        onRetry={() => void list.refetch()}
      />
      {list.error === null || data !== undefined ? (
        <LeadTable
          ref={results}
          list={list}
          search={control}
          buildHref={buildLeadHref}
          now={now}
          selection={selection.rows}
          busyId={busyId}
          actions={canChange ? actions : null}
          isDeleted={isDeleted}
          isPhone={isPhone}
        />
      ) : null}
      {canChange ? (
        <>
          <BulkBar
            selection={selection}
            actions={bulk}
            isDeleted={isDeleted}
            isPhone={isPhone}
            onClear={() => {
              selection.rows.clear();
              // The pressed button disappears.
              results.current?.focus({ preventScroll: true });
            }}
          />
          <ReassignDialog {...reassignment} />
          <ReassignDialog {...bulk.reassignment} />
        </>
      ) : null}
      {data === undefined ? null : (
        <PageFooter
          total={leadCopy.total(data.total ?? 0, data.totalIsEstimate)}
          label={leadCopy.pager}
          page={page}
          pages={pages}
          onPage={setPage}
        >
          <p>{leadCopy.zone(zoneText(now))}</p>
        </PageFooter>
      )}
    </Stack>
  );
}

function nameIn(leads: readonly AdminLead[]): (providerId: number) => string | null {
  return (providerId) => leads.find((lead) => lead.provider_id === providerId)?.provider?.name ?? null;
}

import { keepPreviousData } from '@tanstack/react-query';
import { useRef } from 'react';
import { styled } from 'styled-components';
import { DataTable } from '#client/admin/kit/DataTable.tsx';
import { emptyKind, EmptyState } from '#client/admin/kit/EmptyState.tsx';
import { LoadFailure } from '#client/admin/kit/LoadFailure.tsx';
import { PageFooter } from '#client/admin/kit/PageFooter.tsx';
import { useNow } from '#client/admin/kit/RelativeTime.tsx';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { Stack } from '#client/admin/kit/layout.tsx';
import { useStaff } from '#client/admin/kit/staffContext.tsx';
import { useListTop } from '#client/admin/kit/listHooks.ts';
import { useSearchParams } from '#client/admin/kit/useSearchParams.ts';
import { Select } from '#client/ui/Select.tsx';
import { StackedTable } from '#client/ui/Table.tsx';
import { adminMessages } from '#shared/admin/copy.ts';
import { includesRole } from '#shared/admin/staff.ts';
import {
  applicationSearch,
  applicationsPageSize,
  openApplicationSearch,
} from '#shared/applications/adminApplications.ts';
import { applicationStatuses } from '#shared/applications/applications.ts';
import { paths } from '#shared/pages/paths.ts';
import { ApplicationDrawer } from './ApplicationDrawer.tsx';
import { applicationColumns } from './applicationColumns.tsx';
import { applicationCopy, applicationPrefix } from './copy.ts';

const statusOptions = [
  { value: '', label: applicationCopy.all },
  ...applicationStatuses.map((value) => ({ value, label: applicationCopy.statuses[value] })),
];

/** Practices that want to become providers. */
export function ApplicationsTab() {
  const canChange = includesRole(useStaff().role, 'manager');
  const { values, show, change } = useSearchParams(applicationSearch, applicationPrefix);
  const { data, error, isFetching, refetch } = adminApi.admin.applications.list.useQuery(values, {
    placeholderData: keepPreviousData,
  });
  const open = useSearchParams(openApplicationSearch);
  const now = useNow();
  const results = useRef<HTMLDivElement>(null);
  useListTop(values.page, results);
  return (
    <Stack>
      <StatusFilter
        label={applicationCopy.filter}
        options={statusOptions}
        value={values.status ?? ''}
        onChoose={(value) => show({ status: applicationStatuses.find((one) => one === value) })}
      />
      <LoadFailure error={error} fallback={adminMessages.applicationsFailed} onRetry={() => void refetch()} />
      {data === undefined && error !== null ? null : (
        <div ref={results}>
          <DataTable
            caption={applicationCopy.caption}
            loading={applicationCopy.loading}
            columns={applicationColumns({
              now,
              canChange,
              buildHref: (id) => open.buildHref({ application: id }),
            })}
            rows={data?.applications ?? null}
            isBusy={isFetching}
            empty={
              <EmptyState
                copy={applicationCopy.empty}
                kind={emptyKind(data?.total ?? 0, values.status !== undefined)}
              >
                <a href={paths.recruitment}>{applicationCopy.providerPage}</a>
              </EmptyState>
            }
            as={StackedTable}
          />
        </div>
      )}
      {data === undefined ? null : (
        <PageFooter
          total={applicationCopy.total(data.total)}
          label={applicationCopy.pager}
          page={values.page}
          pages={Math.max(1, Math.ceil(data.total / applicationsPageSize))}
          onPage={(page) => change({ page })}
        />
      )}
      {open.values.application === undefined ? null : (
        <ApplicationDrawer
          key={open.values.application}
          id={open.values.application}
          canChange={canChange}
          onClose={() => open.show({})}
        />
      )}
    </Stack>
  );
}

const StatusFilter = styled(Select)`
  inline-size: 12rem;
  max-inline-size: 100%;
`;

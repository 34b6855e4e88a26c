import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { styled } from 'styled-components';
import { Link } from 'wouter';
import { type Column, DataTable } from '#client/admin/kit/DataTable.tsx';
import { PageFooter } from '#client/admin/kit/PageFooter.tsx';
import { Instant } from '#client/admin/kit/RelativeTime.tsx';
import { Empty, SettingsFrame } from '#client/admin/kit/SettingsFrame.tsx';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { LongCell, Stack } from '#client/admin/kit/layout.tsx';
import { useOpenLead } from '#client/admin/kit/useSearchParams.ts';
import { token } from '#client/theme/tokens.ts';
import { SmallTitle } from '#client/ui/Section.tsx';
import { StackedTable } from '#client/ui/Table.tsx';
import { suppressionCopy } from '#shared/admin/leadCopy.ts';
import { identityNames } from '#shared/admin/leadDetailCopy.ts';
import { leadDetailCopy } from '#shared/admin/leadDetailCopy.ts';
import { type ListedSuppression, suppressionsPageSize } from '#shared/leads/suppression.ts';
import { suppressionListCopy as copy } from './copy.ts';

/** Whom nobody may contact, since when and why, for owners and managers. */
export function SuppressionList() {
  const [page, setPage] = useState(1);
  const { buildHref } = useOpenLead();
  const { data, error, isLoading, isFetching } = adminApi.admin.suppressions.list.useQuery(
    { page },
    { refetchOnMount: 'always', placeholderData: keepPreviousData },
  );
  return (
    <section>
      <SmallTitle as="h2">{copy.title}</SmallTitle>
      <SettingsFrame lead={copy.lead} error={error} fallback={copy.failed} isLoading={isLoading}>
        {data === undefined ? null : (
          <Stack>
            <DataTable
              caption={copy.caption}
              columns={listColumns(buildHref)}
              rows={data.suppressions}
              isBusy={isFetching}
              empty={<Empty>{copy.empty}</Empty>}
              as={StackedTable}
            />
            {data.total <= suppressionsPageSize ? null : (
              <PageFooter
                total={copy.total(data.total)}
                label={copy.pager}
                page={page}
                pages={Math.max(1, Math.ceil(data.total / suppressionsPageSize))}
                onPage={setPage}
              />
            )}
          </Stack>
        )}
      </SettingsFrame>
    </section>
  );
}

function listColumns(buildHref: (lead: number) => string): readonly Column<ListedSuppression>[] {
  const { columns } = copy;
  return [
    {
      key: 'value',
      header: columns.value,
      isRowHeader: true,
      Cell: Value,
      cell: ({ id, kind, value }) => (
        <>
          {value ?? copy.masked(id)}
          <Muted>{identityNames[kind]}</Muted>
        </>
      ),
    },
    { key: 'since', header: columns.since, cell: ({ since }) => <Instant iso={since} /> },
    {
      key: 'reason',
      header: columns.reason,
      Cell: LongCell,
      cell: ({ reason, by }) => (
        <>
          {suppressionCopy.reasons[reason]}
          <Muted>{leadDetailCopy.by(by)}</Muted>
        </>
      ),
    },
    {
      key: 'lead',
      header: columns.lead,
      cell: ({ leadId }) =>
        leadId === null ? null : <Link href={buildHref(leadId)}>{leadDetailCopy.number(leadId)}</Link>,
    },
  ];
}

const Value = styled.th`
  font-weight: 500;
  overflow-wrap: anywhere;
`;

const Muted = styled.span`
  display: block;
  color: ${token.muted};
  font-size: 0.8125rem;
  font-weight: 400;
`;

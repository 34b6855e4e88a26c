import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { styled } from 'styled-components';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { CursorPager, useCursorPages } from '#client/admin/kit/CursorPager.tsx';
import { type Column, DataTable } from '#client/admin/kit/DataTable.tsx';
import { utcText } from '#client/admin/kit/times.ts';
import { token } from '#client/theme/tokens.ts';
import type { AuditLine, AuditListInput } from '#shared/admin/audit.ts';
import { auditCopy, settingsCopy } from './copy.ts';
import { AuditFilters } from './AuditFilters.tsx';
import { Empty, SettingsFrame } from '#client/admin/kit/SettingsFrame.tsx';

type Filter = Omit<AuditListInput, 'before'>;

/** The audit log, for owners. */
export function AuditTab() {
  const [filter, setFilter] = useState<Filter>({});
  const pages = useCursorPages<number>();
  const { before } = pages;
  const page = adminApi.audit.list.useQuery(
    { ...filter, ...(before === undefined ? {} : { before }) },
    { refetchOnMount: 'always', placeholderData: keepPreviousData },
  );
  return (
    <SettingsFrame
      lead={auditCopy.lead}
      error={page.error}
      fallback={settingsCopy.loadFailed.audit}
      isLoading={page.isLoading}
    >
      <AuditFilters
        onApply={(chosen) => {
          setFilter(chosen);
          pages.toFirst();
        }}
      />
      <Results>
        {page.data === undefined ? null : (
          <DataTable
            caption={auditCopy.caption}
            columns={columns}
            rows={page.data.lines}
            isBusy={page.isFetching}
            empty={<Empty>{auditCopy.empty}</Empty>}
          />
        )}
        <CursorPager label={auditCopy.paging} pages={pages} next={page.data?.next ?? null} />
      </Results>
    </SettingsFrame>
  );
}

function detailText(detail: Record<string, unknown>): string {
  return Object.entries(detail)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
}

const Fixed = styled.td`
  white-space: nowrap;
`;

const Muted = styled.span`
  color: ${token.muted};
`;

const Results = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 1rem;
`;

const columns: readonly Column<AuditLine>[] = [
  {
    key: 'at',
    header: auditCopy.columns.at,
    Cell: Fixed,
    cell: ({ at }) => <time dateTime={at}>{utcText(at)}</time>,
  },
  {
    key: 'actor',
    header: auditCopy.columns.actor,
    cell: ({ actor }) => (
      <>
        {actor.name}
        {auditCopy.kinds[actor.kind] === null ? null : <Muted> ({auditCopy.kinds[actor.kind]})</Muted>}
      </>
    ),
  },
  {
    key: 'action',
    header: auditCopy.columns.action,
    cell: ({ action }) => auditCopy.actions[action] ?? action,
  },
  {
    key: 'subject',
    header: auditCopy.columns.subject,
    cell: ({ subject }) =>
      subject === null ? '' : `${auditCopy.subjects[subject.kind] ?? subject.kind} ${subject.id}`,
  },
  { key: 'ip', header: auditCopy.columns.ip, cell: ({ ip }) => ip ?? auditCopy.onServer },
  {
    key: 'detail',
    header: auditCopy.columns.detail,
    cell: ({ detail }) => (detail === null ? '' : detailText(detail)),
  },
];

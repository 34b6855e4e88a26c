import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { styled } from 'styled-components';
import { Link } from 'wouter';
import { CursorPager, useCursorPages } from '#client/admin/kit/CursorPager.tsx';
import { type Column, DataTable } from '#client/admin/kit/DataTable.tsx';
import { RelativeTime, useNow } from '#client/admin/kit/RelativeTime.tsx';
import { Empty, SettingsFrame } from '#client/admin/kit/SettingsFrame.tsx';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { Muted, Stack } from '#client/admin/kit/layout.tsx';
import { zoneText } from '#client/admin/kit/times.ts';
import { useOpenLead } from '#client/admin/kit/useSearchParams.ts';
import { media } from '#client/theme/tokens.ts';
import { StackedTable } from '#client/ui/Table.tsx';
import type { AuditLine, AuditListInput } from '#shared/admin/audit.ts';
import { leadCopy } from '#shared/admin/leadCopy.ts';
import { AuditFilters } from './AuditFilters.tsx';
import { detailText, type ProviderNames } from './auditDetail.ts';
import { auditCopy, settingsCopy } from './copy.ts';

type Filter = Omit<AuditListInput, 'before'>;

/** The audit log, for owners. */
export function AuditTab() {
  const [filter, setFilter] = useState<Filter>({});
  const pages = useCursorPages<number>();
  const { before } = pages;
  const now = useNow();
  const { buildHref: buildLeadHref } = useOpenLead();
  const page = adminApi.admin.audit.list.useQuery(
    { ...filter, ...(before === undefined ? {} : { before }) },
    { refetchOnMount: 'always', placeholderData: keepPreviousData },
  );
  return (
    <SettingsFrame
      lead={`${auditCopy.lead} ${leadCopy.zone(zoneText(now))}.`}
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
      <Stack>
        {page.data === undefined ? null : (
          <DataTable
            caption={auditCopy.caption}
            columns={auditColumns(now, {
              providers: new Map(page.data.providers.map(({ id, name }) => [id, name])),
              buildLeadHref,
            })}
            rows={page.data.lines}
            isBusy={page.isFetching}
            empty={<Empty>{auditCopy.empty}</Empty>}
            as={StackedTable}
          />
        )}
        <CursorPager label={auditCopy.paging} pages={pages} next={page.data?.next ?? null} />
      </Stack>
    </SettingsFrame>
  );
}

/** Long names, addresses and ids break; words do not. */
const Text = styled.td`
  overflow-wrap: anywhere;

  ${media.tablet} {
    min-inline-size: 9rem;
  }
`;

/** The rest of the width is for details. */
const Details = styled(Text)`
  ${media.tablet} {
    inline-size: 50%;
  }
`;

interface SubjectProps extends Pick<Names, 'buildLeadHref'> {
  subject: NonNullable<AuditLine['subject']>;
}

/** What an entry is about, by name; a lead that still exists links to its drawer. */
function Subject({ subject, buildLeadHref }: SubjectProps) {
  const { kind, id, name } = subject;
  const text =
    name === null ? auditCopy.subjectOf(subject) : auditCopy.named(auditCopy.subjectOf(subject), name);
  return (
    <Muted as="div">
      {kind === 'lead' && name !== null ? <LeadLink href={buildLeadHref(Number(id))}>{text}</LeadLink> : text}
    </Muted>
  );
}

const LeadLink = styled(Link)`
  ${media.touch} {
    display: inline-block;
    min-block-size: 2.75rem;
    align-content: center;
  }
`;

interface Names {
  providers: ProviderNames;
  buildLeadHref: (id: number) => string;
}

function auditColumns(now: number, { providers, buildLeadHref }: Names): readonly Column<AuditLine>[] {
  const { columns } = auditCopy;
  return [
    { key: 'at', header: columns.at, cell: ({ at }) => <RelativeTime iso={at} now={now} /> },
    {
      key: 'actor',
      header: columns.actor,
      Cell: Text,
      cell: ({ actor, ip }) => (
        <>
          {auditCopy.actorOf(actor)}
          <Muted as="div">{ip ?? auditCopy.onServer}</Muted>
        </>
      ),
    },
    {
      key: 'action',
      header: columns.action,
      Cell: Text,
      cell: ({ action, subject }) => (
        <>
          {auditCopy.actions[action] ?? action}
          {subject === null ? null : <Subject subject={subject} buildLeadHref={buildLeadHref} />}
        </>
      ),
    },
    {
      key: 'detail',
      header: columns.detail,
      Cell: Details,
      cell: ({ detail }) => (detail === null ? null : detailText(detail, providers)),
    },
  ];
}

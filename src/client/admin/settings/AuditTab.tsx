import { keepPreviousData } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
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
import { auditActions, type AuditLine, type AuditListInput, auditSubjectKinds } from '#shared/admin/audit.ts';
import { leadCopy } from '#shared/admin/leadCopy.ts';
import { detailText, type ProviderNames } from './auditDetail.ts';
import { auditCopy, settingsCopy } from './copy.ts';
import { Button } from '#client/ui/Button.tsx';
import { DayInput, SmallInput } from '#client/ui/DayInput.tsx';
import { Select, SmallLabel } from '#client/ui/Select.tsx';
import { withInstants } from '#shared/formats/day.ts';
import { toText } from '#client/admin/kit/text.ts';

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
      {kind === 'lead' && name !== null ? <Link href={buildLeadHref(Number(id))}>{text}</Link> : text}
    </Muted>
  );
}

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

const actionOptions = [
  { value: '', label: auditCopy.anyAction },
  ...auditActions.map((action) => ({ value: action, label: auditCopy.actions[action] ?? action })),
];
const subjectOptions = [
  { value: '', label: auditCopy.anySubject },
  ...auditSubjectKinds.map((kind) => ({ value: kind, label: auditCopy.subjects[kind] ?? kind })),
];

/** The filters of the log. Its days are those of the viewer's time zone. They apply when 'Apply' is pressed. */
function AuditFilters({ onApply }: { onApply: (filter: Filter) => void }) {
  const [action, setAction] = useState('');
  const [subjectKind, setSubjectKind] = useState('');
  const [from, setFrom] = useState<string>();
  const [to, setTo] = useState<string>();
  function read(data: FormData): Filter {
    const [actor, subjectId] = ['actor', 'subjectId'].map((name) => toText(data, name).trim());
    const chosenAction = auditActions.find((known) => known === action);
    const chosenKind = auditSubjectKinds.find((known) => known === subjectKind);
    return {
      ...(chosenAction === undefined ? {} : { action: chosenAction }),
      ...(chosenKind === undefined ? {} : { subjectKind: chosenKind }),
      ...(actor ? { actor } : {}),
      ...(subjectId ? { subjectId } : {}),
      ...withInstants({ from, to }),
    };
  }
  return (
    <Bar
      aria-label={auditCopy.filters}
      onSubmit={(event: SubmitEvent<HTMLFormElement>) => {
        event.preventDefault();
        onApply(read(new FormData(event.currentTarget)));
      }}
      onReset={() => {
        setAction('');
        setSubjectKind('');
        setFrom(undefined);
        setTo(undefined);
        onApply({});
      }}
    >
      <Select label={auditCopy.action} options={actionOptions} value={action} onChoose={setAction} />
      <SmallLabel>
        {auditCopy.actor}
        <SmallInput name="actor" maxLength={100} autoComplete="off" />
      </SmallLabel>
      <Select
        label={auditCopy.subject}
        options={subjectOptions}
        value={subjectKind}
        onChoose={setSubjectKind}
      />
      <SmallLabel>
        {auditCopy.subjectId}
        <SmallInput name="subjectId" maxLength={40} inputMode="numeric" autoComplete="off" />
      </SmallLabel>
      <Days>
        <DayInput label={auditCopy.from} value={from} onChoose={setFrom} />
        <DayInput label={auditCopy.to} value={to} onChoose={setTo} />
      </Days>
      <Buttons>
        <Button type="submit" variant="secondary">
          {auditCopy.apply}
        </Button>
        <Button type="reset" variant="quiet">
          {auditCopy.clear}
        </Button>
      </Buttons>
    </Bar>
  );
}

const Bar = styled.form`
  display: flex;
  flex-wrap: wrap;
  align-items: end;
  gap: 0.75rem;
  margin-block-end: 1rem;

  & > label {
    flex: 1 1 8.5rem;
  }
`;

/** Both in one row at any width. */
const Days = styled.div`
  display: grid;
  flex: 1 1 17.75rem;
  grid-template-columns: repeat(2, minmax(0, 1fr));
  gap: 0.75rem;
`;

const Buttons = styled.div`
  display: flex;
  gap: 0.25rem;

  & > button {
    min-block-size: 2.5rem;

    ${media.touch} {
      min-block-size: 2.75rem;
    }

    padding-inline: 1rem;
    white-space: nowrap;
  }
`;

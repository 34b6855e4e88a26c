import { type Ref, useMemo } from 'react';
import { css, styled } from 'styled-components';
import { type Column, DataTable } from '#client/admin/kit/DataTable.tsx';
import { emptyKind, EmptyState } from '#client/admin/kit/EmptyState.tsx';
import { RelativeTime } from '#client/admin/kit/RelativeTime.tsx';
import type { Selection } from '#client/admin/kit/listHooks.ts';
import { media, noFocusRing, token } from '#client/theme/tokens.ts';
import { gridRows, Table } from '#client/ui/Table.tsx';
import type { AdminLead, LeadSort } from '#shared/admin/adminLeads.ts';
import { leadCopy, leadFilterCopy } from '#shared/admin/leadCopy.ts';
import { quarantineReasonNames } from '#shared/admin/leadDetailCopy.ts';
import { LeadCards } from './LeadCards.tsx';
import { Clipped, ContactCell, CrmMark, DeliveryNote, Line, ProviderCell, StatusNote } from './LeadCells.tsx';
import { Buttons, DeleteButton, RetryButtons, RowMenu } from './RowButtons.tsx';
import { StageTrack } from './StageTrack.tsx';
import { leadName } from './copy.ts';
import { filterQuery, inLine, inMenu, isShown, type LeadSearchControl } from './leadSearch.ts';
import { type LeadActions, nameLink, type RowContext } from './useLeadActions.ts';
import type { useLeadList } from './useLeads.ts';

const { columns: headers } = leadCopy;
const emptyCopy = { ...leadCopy.empty, clear: leadFilterCopy.clear };
const { viewTitle, viewText, all } = leadCopy.empty;
const viewCopy = { ...emptyCopy, filteredTitle: viewTitle, filteredText: viewText, clear: all };

interface LeadTableProps extends RowContext {
  ref: Ref<HTMLDivElement>;
  list: ReturnType<typeof useLeadList>;
  search: LeadSearchControl;
  selection: Selection;
  /** The lead whose change is pending. */
  busyId: number | null;
  isPhone: boolean;
}

/** A page of leads, or the reason that there are none. A phone has cards. */
export function LeadTable({
  ref,
  list: { data, isFetching },
  search,
  selection,
  busyId,
  isPhone,
  ...context
}: LeadTableProps) {
  const { now, buildHref, actions, isDeleted } = context;
  const columns = useMemo(
    () => tableColumns({ now, buildHref, actions, isDeleted }),
    [now, buildHref, actions, isDeleted],
  );
  // A search in a view that hasn't the lead.
  const searched = { search: search.filter.search };
  const isNarrowed = filterQuery(searched) !== '' && filterQuery(search.filter) !== filterQuery(searched);
  const isView = [...inLine, ...inMenu].some((view) => isShown(search.filter, view));
  const empty = (
    <EmptyState
      copy={isNarrowed ? { ...emptyCopy, clear: leadFilterCopy.searchAll } : isView ? viewCopy : emptyCopy}
      kind={emptyKind(data?.total ?? 0, filterQuery(search.filter) !== '')}
      onFirstPage={() => search.setPage(1, null)}
      onClear={() => search.setFilter(isNarrowed ? searched : {})}
    />
  );
  return (
    <FocusTarget ref={ref} tabIndex={-1} data-leads>
      {isPhone ? (
        <LeadCards
          {...context}
          leads={data?.leads ?? null}
          isBusy={isFetching}
          busyId={busyId}
          selection={selection}
          empty={empty}
        />
      ) : (
        <DataTable
          caption={leadCopy.caption}
          loading={leadCopy.loading}
          columns={columns}
          rows={data?.leads ?? null}
          getAttributes={({ id }) => ({ 'data-lead': id })}
          busyIds={busyId === null ? [] : [busyId]}
          isBusy={isFetching}
          empty={empty}
          as={DenseTable}
          rowTarget={nameLink}
          sort={search.sort}
          onSort={search.setSort}
          selection={
            actions === null
              ? null
              : {
                  state: selection,
                  allLabel: leadCopy.selectAll,
                  buildLabel: (lead) => leadCopy.select(leadName(lead)),
                  isSelectable: (lead) => !lead.isErased,
                }
          }
        />
      )}
    </FocusTarget>
  );
}

function tableColumns({ now, buildHref, actions, isDeleted }: RowContext): Column<AdminLead, LeadSort>[] {
  const changing = isDeleted ? null : actions;
  const columns: Column<AdminLead, LeadSort>[] = [
    {
      key: 'contact',
      header: headers.contact,
      isRowHeader: true,
      sort: ['last_name', '-last_name'],
      cell: (lead) => <ContactCell lead={lead} href={buildHref(lead.id)} />,
    },
    {
      key: 'zip',
      header: headers.zip,
      sort: ['zip_code', '-zip_code'],
      cell: (lead) => <Clipped title={lead.zip_code}>{lead.zip_code}</Clipped>,
    },
    {
      key: 'provider',
      header: headers.provider,
      isFocusTarget: true,
      cell: (lead, isBusy) => <ProviderCell lead={lead} now={now} isBusy={isBusy} actions={changing} />,
    },
    {
      key: 'stage',
      header: headers.stage,
      cell: (lead) => <StageTrack stage={lead.stage} now={now} />,
    },
    {
      key: 'date',
      header: headers.date,
      sort: ['-created_at', 'created_at'],
      cell: (lead) => <RelativeTime iso={lead.created_at} now={now} isShort />,
    },
    {
      key: 'crm',
      header: headers.crm,
      cell: (lead, isBusy) => <CrmCell {...{ lead, now, isBusy, actions: changing }} />,
    },
  ];
  if (actions === null) return columns;
  return [
    ...columns,
    {
      key: 'actions',
      header: headers.actions,
      cell: (lead, isBusy) => (
        <Buttons>
          <DeleteButton {...{ lead, actions, isBusy, isDeleted }} />
          {isDeleted ? null : <RowMenu lead={lead} actions={actions} />}
        </Buttons>
      ),
    },
  ];
}

interface CrmCellProps {
  lead: AdminLead;
  now: number;
  isBusy: boolean;
  actions: LeadActions | null;
}

/** The status with its buttons, and below why it isn't delivered. */
function CrmCell({ lead, now, isBusy, actions }: CrmCellProps) {
  const { quarantineReason } = lead;
  const reason = quarantineReason === null ? null : quarantineReasonNames[quarantineReason];
  return (
    <>
      <Line>
        <CrmMark lead={lead} />
        {actions === null ? null : <RetryButtons {...{ lead, actions, isBusy }} />}
      </Line>
      {reason === null ? (
        <DeliveryNote delivery={lead.crmDelivery} now={now} />
      ) : (
        <StatusNote title={reason}>{reason}</StatusNote>
      )}
    </>
  );
}

const FocusTarget = styled.div`
  /* The bar of the selection then stays at the bottom of the window, where messages leave room for it. */
  &:has([data-chosen]) {
    min-block-size: calc(100dvh - 14rem);
  }

  /* It gets the focus after a button disappears. */
  ${noFocusRing}
`;

/** One grid a row, the same for all. */
const shared = css`
  ${gridRows}

  & tr {
    --check: 0px;
    --last: 9rem;
    grid-template:
      'check contact provider stage stage crm' auto
      'check contact provider zip date actions' auto
      / var(--check) minmax(0, 1fr) minmax(0, 1fr) 4.75rem 5.75rem var(--last);
    border-block-end: 1px solid ${token.line};

    ${media.touch} {
      --last: 10.5rem;
    }
  }

  &:has(thead input) tr {
    --check: 2.5rem;
  }

  & tr > :is(th, td) {
    position: static;
    grid-area: check;
    align-content: center;
    min-inline-size: 0;
    block-size: auto;
    min-block-size: 1.5rem;
    border: 0;
  }

  ${['contact', 'provider', 'stage', 'zip', 'date', 'crm', 'actions'].map(
    (key) => css`
      & tr > :is([data-column='${key}'], [data-cell='${key}']) {
        grid-area: ${key};
      }
    `,
  )}
`;

/** Of the columns that don't share the rest. */
const widths = {
  zip: '5rem',
  provider: '11.5rem',
  stage: '9.25rem',
  date: '6.5rem',
  crm: '9.5rem',
  actions: '4.25rem',
} as const;

/** Rows of two lines. What is longer is cut, with the whole text in its tooltip. In a narrow frame, columns share room. */
const DenseTable = styled(Table)`
  --badge-block: 0;
  table-layout: fixed;
  font-size: 0.8125rem;
  line-height: 1.25rem;

  & th,
  & td {
    padding: 0 0.375rem;
  }

  & thead th {
    block-size: 2rem;
    background: ${token.background};
  }

  & tbody :is(td, th) {
    block-size: 3rem;
  }

  & tbody [data-opens] {
    cursor: pointer;
  }

  @container (width >= 62rem) {
    & thead th:first-child:has(input) {
      inline-size: 2.5rem;
    }

    ${Object.entries(widths).map(([key, width]) => `& [data-column='${key}'] { inline-size: ${width}; }`)}

    ${media.touch} {
      & [data-column='crm'] {
        inline-size: 10.5rem;
      }

      & [data-column='actions'] {
        inline-size: 6.5rem;
      }
    }
  }

  @container (width < 62rem) {
    ${shared}
  }

  /* One line: the badge, and what fits of the reason. */
  & [data-status] {
    display: flex;
    flex-wrap: wrap;
    gap: 0 0.375rem;
    block-size: 1.25rem;
    overflow: hidden;
    white-space: nowrap;
  }

  & p {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }

  & [data-cell='provider'] button {
    min-block-size: 1.5rem;
    padding: 0 0.25rem;
    color: ${token.ink};
    font-size: inherit;
    white-space: nowrap;

    ${media.touch} {
      min-inline-size: 2.75rem;
      min-block-size: 2.75rem;
    }
  }
`;

import type { Ref } from 'react';
import { styled } from 'styled-components';
import { Typed } from '#client/admin/kit/BreakAnywhere.tsx';
import { type Column, DataTable } from '#client/admin/kit/DataTable.tsx';
import { emptyKind, EmptyState } from '#client/admin/kit/EmptyState.tsx';
import { RelativeTime } from '#client/admin/kit/RelativeTime.tsx';
import type { Selection } from '#client/admin/kit/listHooks.ts';
import { media } from '#client/theme/tokens.ts';
import { StackedTable } from '#client/ui/Table.tsx';
import type { AdminLead, LeadSort } from '#shared/admin/adminLeads.ts';
import { leadCopy, leadFilterCopy } from '#shared/admin/leadCopy.ts';
import { ContactCell, CrmStatus, ProviderCell, RetryButtons, RowActions } from './LeadCells.tsx';
import { leadName } from './copy.ts';
import { filterQuery, type LeadSearchControl } from './leadSearch.ts';
import type { LeadActions } from './useLeadActions.ts';
import type { useLeadList } from './useLeads.ts';

const { columns: headers } = leadCopy;

const emptyCopy = { ...leadCopy.empty, clear: leadFilterCopy.clear };

interface LeadTableProps extends ColumnContext {
  ref: Ref<HTMLDivElement>;
  list: ReturnType<typeof useLeadList>;
  search: LeadSearchControl;
  selection: Selection;
}

/** A page of leads, or the reason that there are none. */
export function LeadTable({
  ref,
  list: { data, isFetching },
  search,
  selection,
  ...context
}: LeadTableProps) {
  const { actions } = context;
  return (
    <FocusTarget ref={ref} tabIndex={-1} data-leads>
      <DataTable
        caption={leadCopy.caption}
        loading={leadCopy.loading}
        columns={tableColumns(context)}
        rows={data?.leads ?? null}
        getAttributes={({ id }) => ({ 'data-lead': id, 'aria-busy': actions?.busyId === id })}
        isBusy={isFetching}
        empty={
          <EmptyState
            copy={emptyCopy}
            kind={emptyKind(data?.total ?? 0, filterQuery(search.filter) !== '')}
            onFirstPage={() => search.setPage(1, null)}
            onClear={() => search.setFilter({})}
          />
        }
        as={StackedTable}
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
    </FocusTarget>
  );
}

interface ColumnContext {
  now: number;
  buildHref: (id: number) => string;
  /** Null if staff may only read. */
  actions: LeadActions | null;
  /** Deleted leads can only be restored. */
  isDeleted: boolean;
}

function tableColumns({ now, buildHref, actions, isDeleted }: ColumnContext): Column<AdminLead, LeadSort>[] {
  const changing = isDeleted ? null : actions;
  const columns: Column<AdminLead, LeadSort>[] = [
    {
      key: 'contact',
      header: headers.contact,
      isRowHeader: true,
      Cell: ContactHeader,
      sort: ['last_name', '-last_name'],
      cell: (lead) => <ContactCell lead={lead} href={buildHref(lead.id)} />,
    },
    {
      key: 'zip',
      header: headers.zip,
      sort: ['zip_code', '-zip_code'],
      cell: (lead) => <Typed>{lead.zip_code}</Typed>,
    },
    {
      key: 'provider',
      header: headers.provider,
      isFocusTarget: true,
      cell: (lead) => (
        <ProviderCell
          lead={lead}
          now={now}
          canChange={changing !== null}
          isBusy={actions?.busyId === lead.id}
          onAssign={(providerId) => changing?.assign(lead, providerId)}
          onResend={() => changing?.resendToProvider(lead)}
        />
      ),
    },
    {
      key: 'date',
      header: headers.date,
      sort: ['-created_at', 'created_at'],
      cell: (lead) => <RelativeTime iso={lead.created_at} now={now} />,
    },
    {
      key: 'crm',
      header: headers.crm,
      Cell: CrmCell,
      cell: (lead) => (
        <>
          <CrmStatus lead={lead} now={now} />
          {changing === null ? null : (
            <Retry>
              <RetryButtons lead={lead} actions={changing} />
            </Retry>
          )}
        </>
      ),
    },
  ];
  if (actions === null) return columns;
  return [
    ...columns,
    {
      key: 'actions',
      header: headers.actions,
      cell: (lead) => <RowActions lead={lead} actions={actions} isDeleted={isDeleted} />,
    },
  ];
}

/** Wide enough for an email address on a narrow screen, where the table scrolls, and for the phone beside it on a wide one. */
const ContactHeader = styled.th`
  ${media.tablet} {
    min-inline-size: 15rem;
  }

  ${media.desktop} {
    inline-size: 30%;
  }
`;

/** A reason is a sentence. */
const CrmCell = styled.td`
  max-inline-size: 20rem;

  ${media.tablet} {
    min-inline-size: 13rem;
  }
`;

const Retry = styled.div`
  display: flex;
  margin-inline-start: -0.375rem;

  & button {
    padding-inline: 0.375rem;
    white-space: nowrap;
  }
`;

const FocusTarget = styled.div`
  /* It gets the focus after a button disappears, and shows no outline. */
  &:focus {
    outline: none;
  }
`;

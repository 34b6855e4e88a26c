import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { Typed } from '#client/admin/kit/BreakAnywhere.tsx';
import { type Column, DataTable } from '#client/admin/kit/DataTable.tsx';
import { RelativeTime } from '#client/admin/kit/RelativeTime.tsx';
import type { Selection } from '#client/admin/kit/listHooks.ts';
import { media } from '#client/theme/tokens.ts';
import { StackedTable } from '#client/ui/Table.tsx';
import type { AdminLead, LeadSort } from '#shared/admin/adminLeads.ts';
import { leadCopy } from '#shared/admin/leadCopy.ts';
import { ContactCell, CrmStatus, ProviderCell, RetryButtons, RowActions } from './LeadCells.tsx';
import { leadName } from './copy.ts';
import type { LeadActions } from './useLeadActions.ts';

const { columns: headers } = leadCopy;

interface LeadTableProps {
  /** Null while they load. */
  leads: readonly AdminLead[] | null;
  isRefreshing: boolean;
  empty: ReactNode;
  now: number;
  buildHref: (id: number) => string;
  sort: LeadSort;
  onSort: (sort: LeadSort) => void;
  selection: Selection;
  /** Null if staff may only read. */
  actions: LeadActions | null;
  /** Deleted leads can only be restored. */
  isDeleted: boolean;
}

/** A page of leads: contact, ZIP code, provider, date, CRM status and actions. */
export function LeadTable({ leads, isRefreshing, selection, actions, ...props }: LeadTableProps) {
  return (
    <DataTable
      caption={leadCopy.caption}
      loading={leadCopy.loading}
      columns={tableColumns({ ...props, actions })}
      rows={leads}
      getAttributes={({ id }) => ({ 'data-lead': id, 'aria-busy': actions?.busyId === id })}
      isBusy={isRefreshing}
      empty={props.empty}
      as={StackedTable}
      sort={props.sort}
      onSort={props.onSort}
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
  );
}

interface ColumnContext extends Pick<LeadTableProps, 'now' | 'buildHref' | 'actions' | 'isDeleted'> {}

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

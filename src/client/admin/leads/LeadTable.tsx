import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { Link } from 'wouter';
import { CrmBadge } from '#client/admin/kit/CrmBadge.tsx';
import { type Column, DataTable } from '#client/admin/kit/DataTable.tsx';
import { RelativeTime } from '#client/admin/kit/RelativeTime.tsx';
import type { Selection } from '#client/admin/kit/useSelection.ts';
import { media, token } from '#client/theme/tokens.ts';
import { Badge } from '#client/ui/Badge.tsx';
import { Button } from '#client/ui/Button.tsx';
import { Clock, Repeat2, ShieldAlert } from '#client/ui/Icon.tsx';
import type { AdminLead, LeadSort } from '#shared/admin/adminLeads.ts';
import { leadCopy } from '#shared/admin/leadCopy.ts';
import { leadName } from './leadName.ts';
import { OutcomeBadge } from './OutcomeBadge.tsx';
import { ProviderCell } from './ProviderCell.tsx';
import type { LeadActions } from './useLeadActions.ts';

const { columns: headers } = leadCopy;

interface LeadTableProps {
  /** Null while they load. */
  leads: readonly AdminLead[] | null;
  isRefreshing: boolean;
  empty: ReactNode;
  now: number;
  hrefOf: (id: number) => string;
  sort: LeadSort;
  onSort: (sort: LeadSort) => void;
  selection: Selection;
  /** Null if staff may only read. */
  actions: LeadActions | null;
}

/** A page of leads: contact, ZIP code, provider, date, CRM status and actions. */
export function LeadTable({ leads, isRefreshing, selection, actions, ...props }: LeadTableProps) {
  return (
    <DataTable
      caption={leadCopy.caption}
      loading={leadCopy.loading}
      columns={leadColumns({ now: props.now, hrefOf: props.hrefOf, actions })}
      rows={leads}
      attributesOf={({ id }) => ({ 'data-lead': id, 'aria-busy': actions?.busyId === id })}
      isBusy={isRefreshing}
      empty={props.empty}
      sort={props.sort}
      onSort={props.onSort}
      selection={
        actions === null
          ? null
          : {
              state: selection,
              allLabel: leadCopy.selectAll,
              labelOf: (lead) => leadCopy.select(leadName(lead)),
            }
      }
    />
  );
}

interface ColumnContext extends Pick<LeadTableProps, 'now' | 'hrefOf' | 'actions'> {}

function leadColumns({ now, hrefOf, actions }: ColumnContext): Column<AdminLead, LeadSort>[] {
  const isBusy = (lead: AdminLead): boolean => actions?.busyId === lead.id;
  const columns: Column<AdminLead, LeadSort>[] = [
    {
      key: 'contact',
      header: headers.contact,
      isRowHeader: true,
      sort: ['last_name', '-last_name'],
      cell: (lead) => <Contact lead={lead} href={hrefOf(lead.id)} />,
    },
    { key: 'zip', header: headers.zip, sort: ['zip_code', '-zip_code'], cell: (lead) => lead.zip_code },
    {
      key: 'provider',
      header: headers.provider,
      isFocusTarget: true,
      cell: (lead) => (
        <ProviderCell
          lead={lead}
          canChange={actions !== null}
          isBusy={isBusy(lead)}
          onAssign={(providerId) => actions?.assign(lead, providerId)}
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
      cell: (lead) => (
        <Crm>
          <CrmBadge status={lead.crm_sync_status} />
          {actions === null ? null : <RetryButtons lead={lead} actions={actions} isBusy={isBusy(lead)} />}
        </Crm>
      ),
    },
  ];
  if (actions === null) return columns;
  return [
    ...columns,
    {
      key: 'actions',
      header: headers.actions,
      cell: (lead) => (
        <Delete
          variant="quiet"
          size="small"
          data-action="delete"
          disabled={isBusy(lead)}
          onClick={() => actions.remove(lead)}
        >
          {leadCopy.remove}
        </Delete>
      ),
    },
  ];
}

function Contact({ lead, href }: { lead: AdminLead; href: string }) {
  const name = leadName(lead);
  return (
    <>
      <Who>
        <Name href={href} aria-label={leadCopy.open(name)}>
          {name}
        </Name>
        {lead.outcome === null ? null : <OutcomeBadge outcome={lead.outcome} />}
        {lead.isRepeat ? (
          <Badge>
            <Repeat2 />
            {leadCopy.badges.repeat}
          </Badge>
        ) : null}
        <QuarantineBadge reason={lead.quarantineReason} />
      </Who>
      <Reach>
        <span>{lead.email}</span>
        <span>{lead.phone}</span>
      </Reach>
    </>
  );
}

function QuarantineBadge({ reason }: { reason: string | null }) {
  if (reason === null) return null;
  return reason === 'over-limit' ? (
    <Badge tone="warning">
      <Clock />
      {leadCopy.badges.overLimit}
    </Badge>
  ) : (
    <Badge tone="danger">
      <ShieldAlert />
      {leadCopy.badges.quarantined}
    </Badge>
  );
}

function RetryButtons({ lead, actions, isBusy }: { lead: AdminLead; actions: LeadActions; isBusy: boolean }) {
  // aria-disabled keeps the focus on the button during its request.
  return (
    <>
      <Button
        variant="quiet"
        size="small"
        aria-disabled={isBusy}
        onClick={() => (isBusy ? undefined : actions.retryEmail(lead))}
      >
        {leadCopy.resendEmail}
      </Button>
      <Button
        variant="quiet"
        size="small"
        aria-disabled={isBusy}
        onClick={() => (isBusy ? undefined : actions.retrySync(lead))}
      >
        {leadCopy.retrySync}
      </Button>
    </>
  );
}

const Who = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 0.125rem 0.5rem;
`;

const Name = styled(Link)`
  min-block-size: 1.5rem;
  color: ${token.primary};
  font-weight: 600;
  text-decoration: none;

  &:hover {
    text-decoration: underline;
  }
`;

const Reach = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: 0 0.75rem;
  color: ${token.muted};
  font-size: 0.8125rem;
  overflow-wrap: anywhere;

  & > :last-child {
    white-space: nowrap;
  }
`;

const Crm = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 0 0.125rem;

  & button {
    padding-inline: 0.375rem;
    white-space: nowrap;
  }

  ${media.desktop} {
    flex-wrap: nowrap;
  }
`;

const Delete = styled(Button)`
  padding-inline: 0.5rem;
  color: ${token.danger};
`;

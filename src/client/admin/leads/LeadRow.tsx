import { styled } from 'styled-components';
import { Link } from 'wouter';
import { RelativeTime } from '#client/admin/kit/RelativeTime.tsx';
import { media, token } from '#client/theme/tokens.ts';
import { Badge } from '#client/ui/Badge.tsx';
import { Button } from '#client/ui/Button.tsx';
import { Clock, Repeat2, ShieldAlert } from '#client/ui/Icon.tsx';
import type { AdminLead } from '#shared/admin/adminLeads.ts';
import { leadCopy } from '#shared/admin/leadCopy.ts';
import { CrmBadge } from '#client/admin/kit/CrmBadge.tsx';
import { OutcomeBadge } from './OutcomeBadge.tsx';
import { ProviderCell } from './ProviderCell.tsx';
import { RowCheckbox } from '../kit/RowCheckbox.tsx';

export interface LeadActions {
  assign: (lead: AdminLead, providerId: number) => void;
  remove: (lead: AdminLead) => void;
  retrySync: (lead: AdminLead) => void;
  retryEmail: (lead: AdminLead) => void;
  /** The lead something is being done to. */
  busyId: number | null;
}

interface LeadRowProps {
  lead: AdminLead;
  href: string;
  now: number;
  isSelected: boolean;
  onSelect: (isSelected: boolean) => void;
  /** Null for who may only look. */
  actions: LeadActions | null;
}

export function leadName({ first_name: first, last_name: last }: AdminLead): string {
  return `${first} ${last}`;
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

/** One lead: who, where, whose, when, and what to do next. */
export function LeadRow({ lead, href, now, isSelected, onSelect, actions }: LeadRowProps) {
  const name = leadName(lead);
  const isBusy = actions?.busyId === lead.id;
  return (
    <tr data-lead={lead.id} data-chosen={isSelected ? '' : undefined} aria-busy={isBusy}>
      {actions === null ? null : (
        <td>
          <RowCheckbox label={leadCopy.select(name)} isChecked={isSelected} onCheck={onSelect} />
        </td>
      )}
      <th scope="row">
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
      </th>
      <td>{lead.zip_code}</td>
      <td data-cell="provider" tabIndex={-1}>
        <ProviderCell
          lead={lead}
          canChange={actions !== null}
          isBusy={isBusy}
          onAssign={(providerId) => actions?.assign(lead, providerId)}
        />
      </td>
      <td>
        <RelativeTime iso={lead.created_at} now={now} />
      </td>
      <td>
        <Crm>
          <CrmBadge status={lead.crm_sync_status} />
          {actions === null ? null : <RetryButtons lead={lead} actions={actions} isBusy={isBusy} />}
        </Crm>
      </td>
      {actions === null ? null : (
        <td>
          <Delete
            variant="quiet"
            size="small"
            data-action="delete"
            disabled={isBusy}
            onClick={() => actions.remove(lead)}
          >
            {leadCopy.remove}
          </Delete>
        </td>
      )}
    </tr>
  );
}

function RetryButtons({ lead, actions, isBusy }: { lead: AdminLead; actions: LeadActions; isBusy: boolean }) {
  // aria-disabled keeps the focus on the button while its request is on the way.
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

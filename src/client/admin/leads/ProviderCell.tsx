import { styled } from 'styled-components';
import { Typed } from '#client/admin/kit/BreakAnywhere.tsx';
import { Badge } from '#client/ui/Badge.tsx';
import type { AdminLead } from '#shared/admin/adminLeads.ts';
import { leadCopy } from '#shared/admin/leadCopy.ts';
import { LeadPicker } from './LeadPicker.tsx';
import { ProviderStatus } from './ProviderStatus.tsx';

interface ProviderCellProps {
  lead: AdminLead;
  now: number;
  canChange: boolean;
  isBusy: boolean;
  onAssign: (providerId: number) => void;
  onResend: () => void;
}

/** The provider of a lead, or a picker for one. */
export function ProviderCell({ lead, now, canChange, isBusy, onAssign, onResend }: ProviderCellProps) {
  if (lead.provider_id === null)
    return (
      <Line>
        <Badge tone="warning">{leadCopy.badges.unmatched}</Badge>
        {canChange ? (
          <LeadPicker leadId={lead.id} disabled={isBusy} onPick={onAssign}>
            {leadCopy.pick.placeholder}
          </LeadPicker>
        ) : null}
      </Line>
    );
  return (
    <>
      <Line>
        <Typed>{lead.provider?.name ?? leadCopy.unknownProvider(lead.provider_id)}</Typed>
        {lead.provider?.status === 'f' ? <Badge>{leadCopy.badges.inactive}</Badge> : null}
      </Line>
      <ProviderStatus lead={lead} now={now} isBusy={isBusy} onResend={canChange ? onResend : null} />
    </>
  );
}

const Line = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 0.25rem 0.5rem;
  min-inline-size: 7.5rem;

  & button {
    white-space: nowrap;
  }
`;

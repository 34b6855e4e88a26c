import { styled } from 'styled-components';
import { CrmBadge } from '#client/admin/kit/CrmBadge.tsx';
import { Upcoming } from '#client/admin/kit/RelativeTime.tsx';
import { token } from '#client/theme/tokens.ts';
import { Badge } from '#client/ui/Badge.tsx';
import { CirclePause } from '#client/ui/Icon.tsx';
import type { AdminLead } from '#shared/admin/adminLeads.ts';
import { leadCopy } from '#shared/admin/leadCopy.ts';

/**
 * Whether the lead waits until a CRM is configured: one that the CRM refused has a next attempt. The button of a retry is
 * gray then; pressing it shows the server's reason.
 */
export function isCrmHeld({ crmDelivery }: AdminLead): boolean {
  return crmDelivery?.state === 'held' && crmDelivery.nextAttemptAt === null;
}

/** The CRM status of a lead, why it is not delivered, and when it is attempted next. */
export function CrmStatus({ lead, now }: { lead: AdminLead; now: number }) {
  const { crm_sync_status: status, crmDelivery, quarantineReason } = lead;
  if (quarantineReason !== null)
    return (
      <Badge>
        <CirclePause />
        {leadCopy.notSent}
      </Badge>
    );
  const isPending = status === null || status === 'pending';
  const { state = null, reason = null, nextAttemptAt = null } = crmDelivery ?? {};
  return (
    <>
      <CrmBadge status={status} isPaused={isPending && (state === 'held' || state === 'cancelled')} />
      {reason === null ? null : <StatusNote>{reason}</StatusNote>}
      {nextAttemptAt !== null && Date.parse(nextAttemptAt) > now ? (
        <StatusNote>
          {leadCopy.nextAttempt} <Upcoming iso={nextAttemptAt} now={now} />
        </StatusNote>
      ) : null}
    </>
  );
}

/** A sentence below a status. */
export const StatusNote = styled.p`
  color: ${token.muted};
  font-size: 0.8125rem;
  overflow-wrap: anywhere;
`;

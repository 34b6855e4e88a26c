import { styled } from 'styled-components';
import { ActionButton } from '#client/admin/kit/ActionButton.tsx';
import { Upcoming } from '#client/admin/kit/RelativeTime.tsx';
import { Badge } from '#client/ui/Badge.tsx';
import { CircleAlert, CirclePause, Clock } from '#client/ui/Icon.tsx';
import type { AdminLead } from '#shared/admin/adminLeads.ts';
import { leadCopy } from '#shared/admin/leadCopy.ts';
import { StatusNote } from './CrmStatus.tsx';

interface ProviderStatusProps {
  lead: AdminLead;
  now: number;
  isBusy?: boolean;
  /** Null: there is no button. */
  onResend: (() => void) | null;
}

/**
 * Why the provider doesn't have the lead, and when its email is attempted next. Nothing once it was sent, before its
 * first attempt, and for a lead that isn't sent at all. A button sends it again.
 */
export function ProviderStatus({ lead, now, isBusy = false, onResend }: ProviderStatusProps) {
  const { providerDelivery: email, provider_id: providerId, quarantineReason, clinicNotReached } = lead;
  if (email === null || email.reason === null || providerId === null || quarantineReason !== null)
    return null;
  const { state, reason, nextAttemptAt } = email;
  if (!clinicNotReached && state !== 'held' && state !== 'queued') return null;
  return (
    <div>
      {clinicNotReached ? (
        <Badge tone="danger">
          <CircleAlert />
          {leadCopy.clinicNotReached}
        </Badge>
      ) : state === 'held' ? (
        <Badge>
          <CirclePause />
          {leadCopy.notSent}
        </Badge>
      ) : (
        <Badge tone="warning">
          <Clock />
          {leadCopy.clinicRetrying}
        </Badge>
      )}
      <StatusNote>{reason}</StatusNote>
      {nextAttemptAt !== null && Date.parse(nextAttemptAt) > now ? (
        <StatusNote>
          {leadCopy.nextAttempt} <Upcoming iso={nextAttemptAt} now={now} />
        </StatusNote>
      ) : null}
      {onResend === null ? null : (
        <Resend variant="quiet" isBusy={isBusy} onClick={onResend}>
          {leadCopy.resendToProvider}
        </Resend>
      )}
    </div>
  );
}

const Resend = styled(ActionButton)`
  margin-inline-start: -0.375rem;
  padding-inline: 0.375rem;
  white-space: nowrap;
`;

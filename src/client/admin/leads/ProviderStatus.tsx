import { Upcoming } from '#client/admin/kit/RelativeTime.tsx';
import { Badge } from '#client/ui/Badge.tsx';
import { CircleAlert, CirclePause, Clock } from '#client/ui/Icon.tsx';
import type { AdminLead } from '#shared/admin/adminLeads.ts';
import { leadCopy } from '#shared/admin/leadCopy.ts';
import { StatusNote } from './CrmStatus.tsx';

/**
 * Why the provider doesn't have the lead, and when its email is attempted next. Nothing once it was sent, before its
 * first attempt, and for a lead that isn't sent at all.
 */
export function ProviderStatus({ lead, now }: { lead: AdminLead; now: number }) {
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
    </div>
  );
}

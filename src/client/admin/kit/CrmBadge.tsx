import { Badge, type BadgeTone } from '#client/ui/Badge.tsx';
import { CircleAlert, CircleCheck, CirclePause, Clock } from '#client/ui/Icon.tsx';
import type { AdminLead } from '#shared/admin/adminLeads.ts';
import { leadCopy } from '#shared/admin/leadCopy.ts';

type Status = NonNullable<AdminLead['crm_sync_status']>;

const looks: Record<Status, { tone: BadgeTone; Mark: typeof Clock }> = {
  success: { tone: 'success', Mark: CircleCheck },
  failed: { tone: 'danger', Mark: CircleAlert },
  pending: { tone: 'warning', Mark: Clock },
};

interface CrmBadgeProps {
  status: AdminLead['crm_sync_status'];
  /** Pending, and nothing will be sent for now. */
  isPaused?: boolean;
}

/** The CRM status of a lead: green, red, yellow or gray, each with its own icon and text. */
export function CrmBadge({ status, isPaused = false }: CrmBadgeProps) {
  const known = status ?? 'pending';
  const { tone, Mark } = isPaused ? { tone: 'neutral' as const, Mark: CirclePause } : looks[known];
  return (
    <Badge tone={tone}>
      <Mark />
      {leadCopy.crm[known]}
    </Badge>
  );
}

import { Badge, type BadgeTone } from '#client/ui/Badge.tsx';
import { CircleAlert, CircleCheck, Clock } from '#client/ui/Icon.tsx';
import type { AdminLead } from '#shared/admin/adminLeads.ts';
import { leadCopy } from '#shared/admin/leadCopy.ts';

type Status = NonNullable<AdminLead['crm_sync_status']>;

const looks: Record<Status, { tone: BadgeTone; Mark: typeof Clock }> = {
  success: { tone: 'success', Mark: CircleCheck },
  failed: { tone: 'danger', Mark: CircleAlert },
  pending: { tone: 'warning', Mark: Clock },
};

/** The CRM status of a lead: green, red or yellow, each with its own icon and text. */
export function CrmBadge({ status }: { status: AdminLead['crm_sync_status'] }) {
  const known = status ?? 'pending';
  const { tone, Mark } = looks[known];
  return (
    <Badge tone={tone}>
      <Mark />
      {leadCopy.crm[known]}
    </Badge>
  );
}

import { Badge, type BadgeTone } from '#client/ui/Badge.tsx';
import { CircleAlert, CircleCheck, CirclePause, Clock, RefreshCw, X } from '#client/ui/Icon.tsx';
import type { AdminDelivery } from '#shared/admin/adminDeliveries.ts';
import { deliveryListCopy as copy } from './copy.ts';
import type { DeliveryState } from '#shared/admin/deliveries.ts';

const looks: Record<DeliveryState, { tone: BadgeTone; Mark: typeof Clock }> = {
  queued: { tone: 'brand', Mark: Clock },
  delivered: { tone: 'success', Mark: CircleCheck },
  failed: { tone: 'danger', Mark: CircleAlert },
  held: { tone: 'warning', Mark: CirclePause },
  cancelled: { tone: 'neutral', Mark: X },
};

/** Each state with its own icon and word. */
export function DeliveryStateBadge({ state, isInProgress }: Pick<AdminDelivery, 'state' | 'isInProgress'>) {
  const { tone, Mark } = looks[state];
  if (isInProgress)
    return (
      <Badge tone="brand">
        <RefreshCw />
        {copy.inProgress}
      </Badge>
    );
  return (
    <Badge tone={tone}>
      <Mark />
      {copy.states[state]}
    </Badge>
  );
}

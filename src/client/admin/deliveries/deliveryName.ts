import type { AdminDelivery } from '#shared/admin/adminDeliveries.ts';
import { leadDetailCopy } from '#shared/admin/leadCopy.ts';
import { deliveryChannelNames } from '#shared/admin/deliveries.ts';
import { testType } from '#shared/admin/webhooks.ts';
import { deliveryListCopy as copy } from './copy.ts';

type Named = Pick<AdminDelivery, 'channel' | 'lead' | 'provider' | 'event'>;

/** What a delivery is about: a lead, a provider, a sync or a test. */
export function subjectName({ lead, provider, event }: Named): string {
  if (lead !== null) return lead.name ?? leadDetailCopy.number(lead.id);
  if (provider !== null) return provider.name;
  return event?.type === testType ? copy.endpointTest : copy.sync;
}

/** 'CRM, Ada Ashgrove', or 'lead.created, Ada Ashgrove' */
export function deliveryName(delivery: Named): string {
  return copy.what(delivery.event?.type ?? deliveryChannelNames[delivery.channel], subjectName(delivery));
}

import { lazyTab } from '#client/features/admin/lazyTab.tsx';
import { deliveryListWords as words } from '#shared/adminDeliveryWords.ts';

/** What is sent about leads: looked at when something went wrong. */
export const LazyDeliveries = lazyTab({
  load: async () => (await import('./DeliveriesTab.tsx')).DeliveriesTab,
  waiting: <output>{words.loading}</output>,
  failed: words.codeFailed,
});

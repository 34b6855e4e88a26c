import { lazyTab } from '#client/admin/kit/lazyTab.tsx';
import { deliveryListCopy as copy } from '#client/admin/deliveries/copy.ts';

/** What is sent about leads: looked at when something went wrong. */
export const LazyDeliveries = lazyTab({
  load: async () => (await import('./DeliveriesTab.tsx')).DeliveriesTab,
  waiting: <output>{copy.loading}</output>,
  failed: copy.codeFailed,
});

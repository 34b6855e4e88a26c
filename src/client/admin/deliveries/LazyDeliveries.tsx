import { lazyTab } from '#client/admin/kit/lazyTab.tsx';
import { deliveryListCopy as copy } from './copy.ts';

/** Loaded when the tab is opened. */
export const LazyDeliveries = lazyTab({
  load: async () => (await import('./DeliveriesTab.tsx')).DeliveriesTab,
  waiting: <output>{copy.loading}</output>,
  failed: copy.codeFailed,
});

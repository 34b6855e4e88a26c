import { lazyTab } from '#client/admin/kit/lazyTab.tsx';
import { endpointCopy } from '#client/admin/webhooks/copy.ts';

/** The tab for integrators, which owners alone open, and seldom. */
export const LazyWebhooks = lazyTab({
  load: async () => (await import('./WebhooksTab.tsx')).WebhooksTab,
  waiting: <output>{endpointCopy.loading}</output>,
  failed: endpointCopy.codeFailed,
});

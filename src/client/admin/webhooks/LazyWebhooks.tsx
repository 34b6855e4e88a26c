import { lazyTab } from '#client/admin/kit/lazyTab.tsx';
import { endpointWords } from '#client/admin/webhooks/copy.ts';

/** The tab for integrators, which owners alone open, and seldom. */
export const LazyIntegrations = lazyTab({
  load: async () => (await import('./WebhooksTab.tsx')).IntegrationsTab,
  waiting: <output>{endpointWords.loading}</output>,
  failed: endpointWords.codeFailed,
});

import { lazyTab } from '#client/features/admin/lazyTab.tsx';
import { endpointWords } from '#shared/eventWords.ts';

/** The tab for integrators, which owners alone open, and seldom. */
export const LazyIntegrations = lazyTab({
  load: async () => (await import('./IntegrationsTab.tsx')).IntegrationsTab,
  waiting: <output>{endpointWords.loading}</output>,
  failed: endpointWords.codeFailed,
});

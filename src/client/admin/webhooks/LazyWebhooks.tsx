import { lazyTab } from '#client/admin/kit/lazyTab.tsx';
import { endpointCopy } from './copy.ts';

/** Loaded when an owner opens the tab. */
export const LazyWebhooks = lazyTab({
  load: async () => (await import('./WebhooksTab.tsx')).WebhooksTab,
  waiting: <output>{endpointCopy.loading}</output>,
  failed: endpointCopy.codeFailed,
});

import { lazyTab } from '#client/admin/kit/lazyTab.tsx';
import { outboxCopy } from '#client/admin/mailOutbox/copy.ts';

/** Most installations have a mail server and never open it. */
export const LazyOutbox = lazyTab({
  load: async () => (await import('./Outbox.tsx')).Outbox,
  waiting: <output>{outboxCopy.loading}</output>,
  failed: outboxCopy.codeFailed,
});

import { lazyTab } from '#client/admin/kit/lazyTab.tsx';
import { insightCopy } from '#client/admin/insights/copy.ts';
import { CardSkeleton } from './CardSkeleton.tsx';

/** The charts' tab: charts weigh more than the rest of the dashboard. */
export const LazyInsights = lazyTab({
  load: async () => (await import('./InsightsTab.tsx')).InsightsTab,
  waiting: <CardSkeleton label={insightCopy.loading} />,
  failed: insightCopy.codeFailed,
});

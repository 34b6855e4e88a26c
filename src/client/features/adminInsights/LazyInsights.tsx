import { lazyTab } from '#client/features/admin/lazyTab.tsx';
import { insightWords } from '#shared/insightWords.ts';
import { CardSkeleton } from './CardSkeleton.tsx';

/** The charts' tab: charts weigh more than the rest of the dashboard. */
export const LazyInsights = lazyTab({
  load: async () => (await import('./InsightsTab.tsx')).InsightsTab,
  waiting: <CardSkeleton label={insightWords.loading} />,
  failed: insightWords.codeFailed,
});

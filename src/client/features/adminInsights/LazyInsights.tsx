import { type ComponentType, lazy, Suspense, useState } from 'react';
import { Alert } from '#client/ui/Alert.tsx';
import { Button } from '#client/ui/Button.tsx';
import { adminWords } from '#shared/adminWords.ts';
import { insightWords } from '#shared/insightWords.ts';
import { CardSkeleton } from './CardSkeleton.tsx';

interface FailureProps {
  onRetry: () => void;
}

/** Charts weigh more than the rest of the dashboard: they come when the tab is first opened. */
function loadInsights(): ComponentType<FailureProps> {
  return lazy(async () => {
    try {
      return { default: (await import('./InsightsTab.tsx')).InsightsTab };
    } catch {
      return { default: LoadFailure };
    }
  });
}

/** The same one each time the tab is opened; what a lazy component has loaded stays, so a retry makes another. */
let Insights = loadInsights();

/** The charts' tab: a skeleton until its code is there, an alert where that can't be had. */
export function LazyInsights() {
  const [attempt, setAttempt] = useState(1);
  return (
    <Suspense fallback={<CardSkeleton label={insightWords.loading} />}>
      <Insights
        key={attempt}
        onRetry={() => {
          Insights = loadInsights();
          setAttempt(attempt + 1);
        }}
      />
    </Suspense>
  );
}

function LoadFailure({ onRetry }: FailureProps) {
  return (
    <Alert title={adminWords.error} message={insightWords.codeFailed}>
      <Button variant="secondary" size="small" onClick={onRetry}>
        {adminWords.retry}
      </Button>
    </Alert>
  );
}

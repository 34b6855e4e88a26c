import { Component, type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react';
import { Alert } from '#client/ui/Alert.tsx';
import { Button } from '#client/ui/Button.tsx';
import { adminWords } from '#shared/adminWords.ts';
import { insightWords } from '#shared/insightWords.ts';
import { CardSkeleton } from './CardSkeleton.tsx';

/** Charts weigh more than the rest of the dashboard: they come when the tab is first opened. A lazy component that failed stays failed. */
const loadInsights = (): ComponentType =>
  lazy(async () => ({ default: (await import('./InsightsTab.tsx')).InsightsTab }));

let Insights = loadInsights();

/** The charts' tab: a skeleton until its code is there, an alert where that can't be had. */
export function LazyInsights() {
  const [attempt, setAttempt] = useState(1);
  return (
    <CodeBoundary
      key={attempt}
      onRetry={() => {
        Insights = loadInsights();
        setAttempt(attempt + 1);
      }}
    >
      <Suspense fallback={<CardSkeleton label={insightWords.loading} />}>
        <Insights />
      </Suspense>
    </CodeBoundary>
  );
}

interface BoundaryProps {
  onRetry: () => void;
  children: ReactNode;
}

/** React has no hook for it. */
class CodeBoundary extends Component<BoundaryProps, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <Alert title={adminWords.error} message={insightWords.codeFailed}>
        <Button variant="secondary" size="small" onClick={this.props.onRetry}>
          {adminWords.retry}
        </Button>
      </Alert>
    );
  }
}

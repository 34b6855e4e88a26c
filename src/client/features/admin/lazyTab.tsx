import { type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react';
import { Alert } from '#client/ui/Alert.tsx';
import { Button } from '#client/ui/Button.tsx';
import { adminWords } from '#shared/adminWords.ts';

interface FailureProps {
  onRetry: () => void;
}

interface LazyTabOptions {
  load: () => Promise<() => ReactNode>;
  /** Drawn until its code is there. */
  waiting: ReactNode;
  /** Said where that can't be had. */
  failed: string;
}

/** A tab whose code comes when it is first opened: what it weighs isn't carried by those who never do. */
export function lazyTab({ load, waiting, failed }: LazyTabOptions): ComponentType {
  function LoadFailure({ onRetry }: FailureProps) {
    return (
      <Alert title={adminWords.error} message={failed}>
        <Button variant="secondary" size="small" onClick={onRetry}>
          {adminWords.retry}
        </Button>
      </Alert>
    );
  }

  function loadTab(): ComponentType<FailureProps> {
    return lazy(async (): Promise<{ default: ComponentType<FailureProps> }> => {
      try {
        return { default: await load() };
      } catch {
        return { default: LoadFailure };
      }
    });
  }

  // The same one each time the tab is opened; what a lazy component has loaded stays, so a retry makes another.
  let Loaded = loadTab();
  return function LazyTab() {
    const [attempt, setAttempt] = useState(1);
    return (
      <Suspense fallback={waiting}>
        <Loaded
          key={attempt}
          onRetry={() => {
            Loaded = loadTab();
            setAttempt(attempt + 1);
          }}
        />
      </Suspense>
    );
  };
}

import { type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react';
import { LoadFailure } from './LoadFailure.tsx';

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
  function loadTab(): ComponentType<FailureProps> {
    return lazy(async (): Promise<{ default: ComponentType<FailureProps> }> => {
      try {
        return { default: await load() };
      } catch (error) {
        return { default: (props) => <LoadFailure error={error} fallback={failed} {...props} /> };
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

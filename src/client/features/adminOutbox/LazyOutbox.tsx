import { type ComponentType, lazy, Suspense, useState } from 'react';
import { Alert } from '#client/ui/Alert.tsx';
import { Button } from '#client/ui/Button.tsx';
import { adminWords } from '#shared/adminWords.ts';
import { outboxWords } from '#shared/outboxWords.ts';

interface FailureProps {
  onRetry: () => void;
}

/** Most installations have a mail server and never open it: its code comes when the tab is first opened. */
function loadOutbox(): ComponentType<FailureProps> {
  return lazy(async () => {
    try {
      return { default: (await import('./Outbox.tsx')).Outbox };
    } catch {
      return { default: LoadFailure };
    }
  });
}

/** The same one each time the tab is opened; what a lazy component has loaded stays, so a retry makes another. */
let LoadedOutbox = loadOutbox();

export function LazyOutbox() {
  const [attempt, setAttempt] = useState(1);
  return (
    <Suspense fallback={<output>{outboxWords.loading}</output>}>
      <LoadedOutbox
        key={attempt}
        onRetry={() => {
          LoadedOutbox = loadOutbox();
          setAttempt(attempt + 1);
        }}
      />
    </Suspense>
  );
}

function LoadFailure({ onRetry }: FailureProps) {
  return (
    <Alert title={adminWords.error} message={outboxWords.codeFailed}>
      <Button variant="secondary" size="small" onClick={onRetry}>
        {adminWords.retry}
      </Button>
    </Alert>
  );
}

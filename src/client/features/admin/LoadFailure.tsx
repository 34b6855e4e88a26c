import { Alert } from '#client/ui/Alert.tsx';
import { Button } from '#client/ui/Button.tsx';
import { adminWords } from '#shared/adminWords.ts';
import { failureText } from './reports.ts';

interface LoadFailureProps {
  /** Null: nothing went wrong. */
  error: unknown;
  /** Said where the server says nothing a person can read. */
  fallback: string;
  /** Left out where the next look comes by itself. */
  onRetry?: () => void;
}

/** What couldn't be had, in its place, with a way to ask again. */
export function LoadFailure({ error, fallback, onRetry }: LoadFailureProps) {
  if (error === null) return null;
  return (
    <Alert title={adminWords.error} message={failureText(error, fallback)}>
      {onRetry === undefined ? null : (
        <Button variant="secondary" size="small" onClick={onRetry}>
          {adminWords.retry}
        </Button>
      )}
    </Alert>
  );
}

import { Alert } from '#client/ui/Alert.tsx';
import { Button } from '#client/ui/Button.tsx';
import { adminCopy } from '#shared/admin/copy.ts';
import { failureText } from './reports.ts';

interface LoadFailureProps {
  /** Null: nothing went wrong. */
  error: unknown;
  /** Said where the server says nothing a person can read. */
  fallback: string;
  /** Null where a button beside it asks again anyway. */
  onRetry: (() => void) | null;
}

/** What couldn't be had, in its place, with a way to ask again. */
export function LoadFailure({ error, fallback, onRetry }: LoadFailureProps) {
  if (error === null) return null;
  return (
    <Alert title={adminCopy.error} message={failureText(error, fallback)}>
      {onRetry === null ? null : (
        <Button variant="secondary" size="small" onClick={onRetry}>
          {adminCopy.retry}
        </Button>
      )}
    </Alert>
  );
}

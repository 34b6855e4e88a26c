import { Alert } from '#client/ui/Alert.tsx';
import { adminCopy } from '#shared/admin/copy.ts';
import { ActionButton } from './ActionButton.tsx';
import { failureText } from './reports.ts';

interface LoadFailureProps {
  /** Null: there is no error. */
  error: unknown;
  /** Shown when the server gives no reason. */
  fallback: string;
  /** Null if another button repeats the request. */
  onRetry: (() => void) | null;
}

/** Replaces what failed to load, with a button that tries again. */
export function LoadFailure({ error, fallback, onRetry }: LoadFailureProps) {
  if (error === null) return null;
  return (
    <Alert title={adminCopy.error} message={failureText(error, fallback)}>
      {onRetry === null ? null : <ActionButton onClick={onRetry}>{adminCopy.retry}</ActionButton>}
    </Alert>
  );
}

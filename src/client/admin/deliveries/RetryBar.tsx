import { SelectionBar } from '#client/admin/kit/SelectionBar.tsx';
import type { Selection } from '#client/admin/kit/useSelection.ts';
import { Button } from '#client/ui/Button.tsx';
import { deliveryListCopy } from './copy.ts';

const copy = deliveryListCopy.bulk;

interface RetryBarProps {
  selection: Selection<string>;
  isBusy: boolean;
  onRetry: () => void;
}

/** The button that retries the selected deliveries. */
export function RetryBar({ selection: { ids, clear }, isBusy, onRetry }: RetryBarProps) {
  if (ids.length === 0) return <SelectionBar label={copy.label} count="" />;
  return (
    <SelectionBar label={copy.label} count={copy.count(ids.length)}>
      {/* aria-disabled keeps the focus on the button during its request. */}
      <Button size="small" aria-disabled={isBusy} onClick={() => (isBusy ? undefined : onRetry())}>
        {copy.retry(ids.length)}
      </Button>
      <Button variant="quiet" size="small" onClick={clear}>
        {copy.clear}
      </Button>
    </SelectionBar>
  );
}

import { Badge, type BadgeTone } from '#client/ui/Badge.tsx';
import type { SyncOutcome, SyncRun } from '#shared/admin/sync.ts';
import { syncMessages } from './copy.ts';

const tones: Record<SyncOutcome, BadgeTone> = {
  running: 'brand',
  done: 'success',
  refused: 'warning',
  failed: 'danger',
  interrupted: 'warning',
};

/** How a run ended, and whether it was only a preview. */
export function RunOutcome({ run: { outcome, dryRun } }: { run: Pick<SyncRun, 'outcome' | 'dryRun'> }) {
  return (
    <>
      <Badge tone={tones[outcome]}>{syncMessages.outcomes[outcome]}</Badge>
      {dryRun ? <Badge>{syncMessages.preview}</Badge> : null}
    </>
  );
}

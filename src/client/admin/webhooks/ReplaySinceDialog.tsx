import { useState } from 'react';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { ActionForm, textOf } from '#client/admin/kit/ActionForm.tsx';
import { Dialog } from '#client/ui/Dialog.tsx';
import { Field } from '#client/ui/Field.tsx';
import { Select } from '#client/ui/Select.tsx';
import { showToast } from '#client/ui/Toast.tsx';
import type { ReplayRest, WebhookEndpoint } from '#shared/admin/webhooks.ts';
import { messageCopy as copy } from '#client/admin/webhooks/copy.ts';
import { endpointOption } from './MessageFilters.tsx';
import { useEventsAnew } from './useEndpoints.ts';

interface ReplaySinceDialogProps {
  open: boolean;
  endpoints: readonly WebhookEndpoint[];
  /** The one that is looked at. */
  endpointId: string | undefined;
  onClose: () => void;
}

/** Sends an endpoint everything since a moment, as after an outage there or while it was off; what is too much for once goes on from where it ended. */
export function ReplaySinceDialog({ open, onClose, ...given }: ReplaySinceDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title={copy.replaySince}>
      <ReplaySince {...given} onClose={onClose} />
    </Dialog>
  );
}

/** In the reader's own time zone, as the browser's field has it; what is no date is left for the server to refuse. */
function instantOf(local: string): string {
  const at = new Date(local);
  return Number.isNaN(at.getTime()) ? '' : at.toISOString();
}

function ReplaySince({ endpoints, endpointId, onClose }: Omit<ReplaySinceDialogProps, 'open'>) {
  const anew = useEventsAnew();
  const replay = adminApi.events.replaySince.useMutation();
  const on = endpoints.filter(({ state }) => state !== 'off');
  const [chosen, setChosen] = useState((on.find(({ id }) => id === endpointId) ?? on[0])?.id ?? '');
  const [rest, setRest] = useState<{ queued: number; next: ReplayRest } | null>(null);
  async function act(data: FormData): Promise<void> {
    const from = rest?.next ?? { since: instantOf(textOf(data, 'since')) };
    const { queued, next } = await replay.mutateAsync({ endpointId: chosen, ...from });
    await anew();
    if (next !== null) {
      setRest({ queued: (rest?.queued ?? 0) + queued, next });
      return;
    }
    onClose();
    showToast({ title: copy.replaying((rest?.queued ?? 0) + queued), tone: 'success' });
  }
  return (
    <ActionForm
      submitLabel={rest === null ? copy.replaySubmit : copy.replayRest}
      onCancel={onClose}
      act={act}
    >
      {(errors) =>
        rest === null ? (
          <>
            <p>{copy.replaySinceNote}</p>
            <Select
              label={copy.endpoint}
              options={on.map(endpointOption)}
              value={chosen}
              onChoose={setChosen}
            />
            <Field label={copy.since} name="since" type="datetime-local" error={errors['since']} />
          </>
        ) : (
          <output>{copy.left(rest.queued)}</output>
        )
      }
    </ActionForm>
  );
}

import { useState } from 'react';
import { adminApi } from '#client/features/admin/adminApi.tsx';
import { ActionForm, textOf } from '#client/features/adminSettings/ActionForm.tsx';
import { Dialog } from '#client/ui/Dialog.tsx';
import { Field } from '#client/ui/Field.tsx';
import { Select } from '#client/ui/Select.tsx';
import { showToast } from '#client/ui/Toast.tsx';
import type { WebhookEndpoint } from '#shared/events.ts';
import { messageWords as words } from '#shared/eventWords.ts';
import { endpointOption } from './MessageFilters.tsx';
import { useEventsAnew } from './useEndpoints.ts';

interface ReplaySinceDialogProps {
  open: boolean;
  endpoints: readonly WebhookEndpoint[];
  /** The one that is looked at. */
  endpointId: string | undefined;
  onClose: () => void;
}

/** Sends again what failed at an endpoint since a moment, as after an outage there. */
export function ReplaySinceDialog({ open, onClose, ...given }: ReplaySinceDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title={words.replaySince}>
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
  return (
    <ActionForm
      submitLabel={words.replaySubmit}
      onCancel={onClose}
      act={async (data) => {
        const since = instantOf(textOf(data, 'since'));
        const { queued, left } = await replay.mutateAsync({ endpointId: chosen, since });
        await anew();
        onClose();
        showToast({
          title: words.replaying(queued),
          description: left ? words.left : undefined,
          tone: 'success',
        });
      }}
    >
      {(errors) => (
        <>
          <p>{words.replaySinceNote}</p>
          <Select
            label={words.endpoint}
            options={on.map(endpointOption)}
            value={chosen}
            onChoose={setChosen}
          />
          <Field label={words.since} name="since" type="datetime-local" error={errors['since']} />
        </>
      )}
    </ActionForm>
  );
}

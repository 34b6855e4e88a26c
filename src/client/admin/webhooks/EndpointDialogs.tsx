import { useState } from 'react';
import { ActionForm } from '#client/admin/kit/ActionForm.tsx';
import { ShownOnce } from '#client/admin/kit/ShownOnce.tsx';
import { Dialog } from '#client/ui/Dialog.tsx';
import { endpointHost, type WebhookEndpoint } from '#shared/admin/webhooks.ts';
import { endpointCopy, replayCopy } from './copy.ts';
import { EndpointDialog } from './EndpointDialog.tsx';
import { ReplaySince } from './ReplaySince.tsx';
import { useRemoveEndpoint, useRotateSecret, useSwitchOff } from './useEndpoints.ts';

/** An action on an endpoint whose dialog is open. */
export interface EndpointAction {
  kind: 'edit' | 'rotate' | 'replay' | 'off' | 'remove';
  endpoint: WebhookEndpoint;
}

interface EndpointDialogsProps {
  action: EndpointAction | null;
  onClose: () => void;
}

interface ActionProps {
  endpoint: WebhookEndpoint;
  onClose: () => void;
}

const titles = {
  replay: replayCopy.title,
  rotate: endpointCopy.rotateOf,
  off: endpointCopy.switchOffOf,
  remove: endpointCopy.removeOf,
} as const;

/** The dialogs of one endpoint. Each acts after a confirmation. */
export function EndpointDialogs({ action, onClose }: EndpointDialogsProps) {
  const confirmed = action === null || action.kind === 'edit' ? null : { ...action, kind: action.kind };
  return (
    <>
      <EndpointDialog
        open={action?.kind === 'edit'}
        endpoint={action?.kind === 'edit' ? action.endpoint : null}
        onClose={onClose}
      />
      <Dialog
        open={confirmed !== null}
        onClose={onClose}
        title={confirmed === null ? '' : titles[confirmed.kind](endpointHost(confirmed.endpoint))}
      >
        {confirmed?.kind === 'replay' ? (
          <ReplaySince endpoint={confirmed.endpoint} onClose={onClose} />
        ) : null}
        {confirmed?.kind === 'rotate' ? <Rotate endpoint={confirmed.endpoint} onClose={onClose} /> : null}
        {confirmed?.kind === 'off' ? <SwitchOff endpoint={confirmed.endpoint} onClose={onClose} /> : null}
        {confirmed?.kind === 'remove' ? <Remove endpoint={confirmed.endpoint} onClose={onClose} /> : null}
      </Dialog>
    </>
  );
}

function Rotate({ endpoint, onClose }: ActionProps) {
  // Only in this state, as in EndpointDialog.
  const [secret, setSecret] = useState<string | null>(null);
  const rotate = useRotateSecret();
  if (secret !== null)
    return (
      <ShownOnce secret={secret} onDone={onClose}>
        <strong>{endpointCopy.rotated}.</strong> {endpointCopy.onlyTime}
      </ShownOnce>
    );
  return (
    <ActionForm
      submitLabel={endpointCopy.rotate}
      onClose={onClose}
      act={async () => {
        const { secret: created } = await rotate.mutateAsync({ id: endpoint.id });
        setSecret(created);
      }}
    >
      {() => <p>{endpointCopy.rotateNote}</p>}
    </ActionForm>
  );
}

function SwitchOff({ endpoint, onClose }: ActionProps) {
  const switchOff = useSwitchOff();
  return (
    <ActionForm
      submitLabel={endpointCopy.switchOff}
      onClose={onClose}
      act={() => switchOff.mutateAsync({ id: endpoint.id, on: false })}
      done={() => endpointCopy.switchedOff(endpointHost(endpoint))}
    >
      {() => <p>{endpointCopy.switchOffNote}</p>}
    </ActionForm>
  );
}

function Remove({ endpoint, onClose }: ActionProps) {
  const remove = useRemoveEndpoint();
  return (
    <ActionForm
      submitLabel={endpointCopy.remove}
      onClose={onClose}
      act={() => remove.mutateAsync({ id: endpoint.id })}
      done={() => endpointCopy.removed(endpointHost(endpoint))}
    >
      {() => <p>{endpointCopy.removeNote}</p>}
    </ActionForm>
  );
}

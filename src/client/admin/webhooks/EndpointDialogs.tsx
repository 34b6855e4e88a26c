import { useState } from 'react';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { ActionForm } from '#client/admin/kit/ActionForm.tsx';
import { ShownOnce } from '#client/admin/kit/ShownOnce.tsx';
import { Dialog } from '#client/ui/Dialog.tsx';
import { showToast } from '#client/ui/Toast.tsx';
import { endpointHost, type WebhookEndpoint } from '#shared/admin/webhooks.ts';
import { endpointCopy, replayCopy } from './copy.ts';
import { EndpointDialog } from './EndpointDialog.tsx';
import { ReplaySince } from './ReplaySince.tsx';
import { useRefreshEndpoints } from './useEndpoints.ts';

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

/** The dialogs of one endpoint. Each acts once it is confirmed. */
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
  const refresh = useRefreshEndpoints();
  // Only in this state, as in EndpointDialog.
  const [secret, setSecret] = useState<string | null>(null);
  const rotate = adminApi.events.rotate.useMutation({ gcTime: 0 });
  if (secret !== null)
    return (
      <ShownOnce secret={secret} onDone={onClose}>
        <strong>{endpointCopy.rotated}.</strong> {endpointCopy.onlyTime}
      </ShownOnce>
    );
  return (
    <ActionForm
      submitLabel={endpointCopy.rotate}
      onCancel={onClose}
      act={async () => {
        const made = await rotate.mutateAsync({ id: endpoint.id });
        await refresh();
        setSecret(made.secret);
      }}
    >
      {() => <p>{endpointCopy.rotateNote}</p>}
    </ActionForm>
  );
}

function SwitchOff({ endpoint, onClose }: ActionProps) {
  const refresh = useRefreshEndpoints();
  const { mutateAsync } = adminApi.events.switch.useMutation();
  return (
    <ActionForm
      submitLabel={endpointCopy.switchOff}
      onCancel={onClose}
      act={async () => {
        await mutateAsync({ id: endpoint.id, on: false });
        await refresh();
        onClose();
        showToast({ title: endpointCopy.switchedOff(endpointHost(endpoint)), tone: 'success' });
      }}
    >
      {() => <p>{endpointCopy.switchOffNote}</p>}
    </ActionForm>
  );
}

function Remove({ endpoint, onClose }: ActionProps) {
  const refresh = useRefreshEndpoints();
  const { mutateAsync } = adminApi.events.remove.useMutation();
  return (
    <ActionForm
      submitLabel={endpointCopy.remove}
      onCancel={onClose}
      act={async () => {
        await mutateAsync({ id: endpoint.id });
        await refresh();
        onClose();
        showToast({ title: endpointCopy.removed(endpointHost(endpoint)), tone: 'success' });
      }}
    >
      {() => <p>{endpointCopy.removeNote}</p>}
    </ActionForm>
  );
}

import { useState } from 'react';
import { ActionForm } from '#client/admin/kit/ActionForm.tsx';
import { SecretOnce } from '#client/admin/kit/SecretOnce.tsx';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { reportDone } from '#client/admin/kit/reports.ts';
import { toText } from '#client/admin/kit/text.ts';
import { Dialog } from '#client/ui/Dialog.tsx';
import { Field } from '#client/ui/Field.tsx';
import { endpointHost, type ReplayRest, type WebhookEndpoint } from '#shared/admin/webhooks.ts';
import { EndpointDialog } from './EndpointDialog.tsx';
import { endpointCopy, replayCopy, replayCopy as copy } from './copy.ts';

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
  const rotate = adminApi.admin.webhooks.rotate.useMutation({ gcTime: 0 });
  if (secret !== null)
    return (
      <SecretOnce secret={secret} onDone={onClose}>
        <strong>{endpointCopy.rotated}.</strong> {endpointCopy.onlyTime}
      </SecretOnce>
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
  const switchOff = adminApi.admin.webhooks.switch.useMutation();
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
  const remove = adminApi.admin.webhooks.remove.useMutation();
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

interface ReplaySinceProps {
  endpoint: WebhookEndpoint;
  onClose: () => void;
}

/** The field's local time as ISO; empty for an invalid date, which the server rejects. */
function toIso(local: string): string {
  const at = new Date(local);
  return Number.isNaN(at.getTime()) ? '' : at.toISOString();
}

/** Sends an endpoint all events since a time. What exceeds the maximum continues with another press. */
function ReplaySince({ endpoint, onClose }: ReplaySinceProps) {
  const replay = adminApi.admin.webhooks.replaySince.useMutation();
  const [rest, setRest] = useState<{ queued: number; next: ReplayRest } | null>(null);
  async function act(data: FormData): Promise<void> {
    const from = rest?.next ?? { since: toIso(toText(data, 'since')) };
    const { queued, next } = await replay.mutateAsync({ id: endpoint.id, ...from });
    const total = (rest?.queued ?? 0) + queued;
    if (next !== null) {
      setRest({ queued: total, next });
      return;
    }
    onClose();
    reportDone(copy.queued(total));
  }
  return (
    <ActionForm submitLabel={rest === null ? copy.submit : copy.submitRest} onClose={onClose} act={act}>
      {(errors) =>
        rest === null ? (
          <>
            <p>
              {copy.note} {copy.kept}
            </p>
            <Field label={copy.since} name="since" type="datetime-local" error={errors['since']} />
          </>
        ) : (
          <output>{copy.rest(rest.queued)}</output>
        )
      }
    </ActionForm>
  );
}

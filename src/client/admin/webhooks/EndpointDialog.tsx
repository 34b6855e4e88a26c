import { useState } from 'react';
import { ActionForm } from '#client/admin/kit/ActionForm.tsx';
import { SecretOnce } from '#client/admin/kit/SecretOnce.tsx';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { toText } from '#client/admin/kit/text.ts';
import { Dialog } from '#client/ui/Dialog.tsx';
import {
  type EndpointCreateInput,
  endpointHost,
  eventPayloads,
  eventTypes,
  type WebhookEndpoint,
} from '#shared/admin/webhooks.ts';
import { EndpointFields } from './EndpointFields.tsx';
import { endpointCopy } from './copy.ts';

interface EndpointDialogProps {
  open: boolean;
  /** The one to change; null: add one. */
  endpoint: WebhookEndpoint | null;
  onClose: () => void;
}

/** Adds an endpoint and shows its secret once, or changes one. Closing the dialog forgets the secret. */
export function EndpointDialog({ open, endpoint, onClose }: EndpointDialogProps) {
  const title = endpoint === null ? endpointCopy.add : endpointCopy.editOf(endpointHost(endpoint));
  return (
    <Dialog open={open} onClose={onClose} title={title}>
      {endpoint === null ? (
        <CreateEndpoint onClose={onClose} />
      ) : (
        <UpdateEndpoint endpoint={endpoint} onClose={onClose} />
      )}
    </Dialog>
  );
}

function buildInput(data: FormData): EndpointCreateInput {
  return {
    url: toText(data, 'url'),
    description: toText(data, 'description'),
    types: eventTypes.filter((type) => data.getAll('types').includes(type)),
    payload: eventPayloads.find((payload) => payload === data.get('payload')) ?? 'thin',
  };
}

function CreateEndpoint({ onClose }: { onClose: () => void }) {
  // Only in this state: the mutation's result would outlive the dialog.
  const [secret, setSecret] = useState<string | null>(null);
  // The result contains the secret, so it is not cached.
  const create = adminApi.admin.webhooks.create.useMutation({ gcTime: 0 });
  if (secret !== null)
    return (
      <SecretOnce secret={secret} onDone={onClose}>
        <strong>{endpointCopy.added}.</strong> {endpointCopy.secretLead} {endpointCopy.onlyTime}
      </SecretOnce>
    );
  return (
    <ActionForm
      submitLabel={endpointCopy.add}
      onClose={onClose}
      act={async (data) => {
        const created = await create.mutateAsync(buildInput(data));
        setSecret(created.secret);
      }}
    >
      {(errors) => <EndpointFields endpoint={null} errors={errors} />}
    </ActionForm>
  );
}

function UpdateEndpoint({ endpoint, onClose }: { endpoint: WebhookEndpoint; onClose: () => void }) {
  const update = adminApi.admin.webhooks.update.useMutation();
  return (
    <ActionForm
      submitLabel={endpointCopy.save}
      onClose={onClose}
      act={(data) => update.mutateAsync({ id: endpoint.id, ...buildInput(data) })}
      done={(changed) => endpointCopy.saved(endpointHost(changed))}
    >
      {(errors) => <EndpointFields endpoint={endpoint} errors={errors} />}
    </ActionForm>
  );
}

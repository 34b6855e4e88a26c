import { useState } from 'react';
import { ActionForm } from '#client/admin/kit/ActionForm.tsx';
import { textOf } from '#client/admin/kit/text.ts';
import { ShownOnce } from '#client/admin/kit/ShownOnce.tsx';
import { Dialog } from '#client/ui/Dialog.tsx';
import {
  type EndpointCreateInput,
  endpointHost,
  eventPayloads,
  eventTypes,
  type WebhookEndpoint,
} from '#shared/admin/webhooks.ts';
import { endpointCopy } from './copy.ts';
import { EndpointFields } from './EndpointFields.tsx';
import { useCreateEndpoint, useUpdateEndpoint } from './useEndpoints.ts';

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

function inputOf(data: FormData): EndpointCreateInput {
  return {
    url: textOf(data, 'url'),
    description: textOf(data, 'description'),
    types: eventTypes.filter((type) => data.getAll('types').includes(type)),
    payload: eventPayloads.find((payload) => payload === data.get('payload')) ?? 'thin',
  };
}

function CreateEndpoint({ onClose }: { onClose: () => void }) {
  // Only in this state: the mutation's result would outlive the dialog.
  const [secret, setSecret] = useState<string | null>(null);
  const create = useCreateEndpoint();
  if (secret !== null)
    return (
      <ShownOnce secret={secret} onDone={onClose}>
        <strong>{endpointCopy.added}.</strong> {endpointCopy.secretLead} {endpointCopy.onlyTime}
      </ShownOnce>
    );
  return (
    <ActionForm
      submitLabel={endpointCopy.add}
      onClose={onClose}
      act={async (data) => {
        const created = await create.mutateAsync(inputOf(data));
        setSecret(created.secret);
      }}
    >
      {(errors) => <EndpointFields endpoint={null} errors={errors} />}
    </ActionForm>
  );
}

function UpdateEndpoint({ endpoint, onClose }: { endpoint: WebhookEndpoint; onClose: () => void }) {
  const update = useUpdateEndpoint();
  return (
    <ActionForm
      submitLabel={endpointCopy.save}
      onClose={onClose}
      act={(data) => update.mutateAsync({ id: endpoint.id, ...inputOf(data) })}
      done={(changed) => endpointCopy.saved(endpointHost(changed))}
    >
      {(errors) => <EndpointFields endpoint={endpoint} errors={errors} />}
    </ActionForm>
  );
}

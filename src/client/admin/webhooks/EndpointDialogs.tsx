import { useState } from 'react';
import { ActionForm } from '#client/admin/kit/ActionForm.tsx';
import { SecretForm } from '#client/admin/kit/SecretOnce.tsx';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { reportDone } from '#client/admin/kit/reports.ts';
import { toText } from '#client/admin/kit/text.ts';
import { Dialog } from '#client/ui/Dialog.tsx';
import { Field, FieldHint } from '#client/ui/Field.tsx';
import {
  type EndpointCreateInput,
  endpointHost,
  eventPayloads,
  eventTypes,
  type ReplayRest,
  type WebhookEndpoint,
} from '#shared/admin/webhooks.ts';
import {
  endpointCopy,
  eventTypeCopy,
  payloadCopy,
  payloadWarning,
  replayCopy,
  replayCopy as copy,
} from './copy.ts';
import { styled } from 'styled-components';
import { Legend } from '#client/admin/kit/layout.tsx';
import { token } from '#client/theme/tokens.ts';
import { Checkbox } from '#client/ui/Checkbox.tsx';
import { Select } from '#client/ui/Select.tsx';

interface ActionProps {
  endpoint: WebhookEndpoint;
  onClose: () => void;
}

/** The dialogs of one endpoint. Each acts after a confirmation. */
const dialogs = {
  edit: { title: endpointCopy.editOf, Content: UpdateEndpoint },
  replay: { title: replayCopy.title, Content: ReplaySince },
  rotate: { title: endpointCopy.rotateOf, Content: Rotate },
  remove: { title: endpointCopy.removeOf, Content: Remove },
} as const;

/** What a dialog is open for: an action on an endpoint, or a new one. */
export type EndpointAction = { kind: keyof typeof dialogs; endpoint: WebhookEndpoint } | { kind: 'add' };

/** Adds an endpoint, or does something with one. Closing the dialog forgets a secret that it shows. */
export function EndpointDialogs({ action, onClose }: { action: EndpointAction | null; onClose: () => void }) {
  if (action === null || action.kind === 'add')
    return (
      <Dialog open={action !== null} onClose={onClose} title={endpointCopy.add}>
        <CreateEndpoint onClose={onClose} />
      </Dialog>
    );
  const { title, Content } = dialogs[action.kind];
  return (
    <Dialog open onClose={onClose} title={title(endpointHost(action.endpoint))}>
      <Content endpoint={action.endpoint} onClose={onClose} />
    </Dialog>
  );
}

function Rotate({ endpoint, onClose }: ActionProps) {
  // The result contains the secret, so it is not cached.
  const rotate = adminApi.admin.webhooks.rotate.useMutation({ gcTime: 0 });
  return (
    <SecretForm
      note={endpointCopy.rotateNote}
      submitLabel={endpointCopy.rotate}
      onClose={onClose}
      act={async () => {
        const { secret } = await rotate.mutateAsync({ id: endpoint.id });
        return { secret, made: `${endpointCopy.rotated}.` };
      }}
    />
  );
}

function Remove({ endpoint, onClose }: ActionProps) {
  const remove = adminApi.admin.webhooks.remove.useMutation();
  return (
    <ActionForm
      note={endpointCopy.removeNote}
      submitLabel={endpointCopy.remove}
      onClose={onClose}
      act={() => remove.mutateAsync({ id: endpoint.id })}
      done={() => endpointCopy.removed(endpointHost(endpoint))}
    />
  );
}

/** The field's local time as ISO; empty for an invalid date, which the server rejects. */
function toIso(local: string): string {
  const at = new Date(local);
  return Number.isNaN(at.getTime()) ? '' : at.toISOString();
}

/** Sends an endpoint all events since a time. What exceeds the maximum continues with another press. */
function ReplaySince({ endpoint, onClose }: { endpoint: WebhookEndpoint; onClose: () => void }) {
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

interface EndpointFieldsProps {
  /** Its values are the defaults. */
  endpoint: WebhookEndpoint | null;
  errors: Readonly<Record<string, string>>;
}

const payloadOptions = eventPayloads.map((payload) => ({ value: payload, label: payloadCopy[payload] }));

function EndpointFields({ endpoint, errors }: EndpointFieldsProps) {
  const [payload, setPayload] = useState<string>(endpoint?.payload ?? 'thin');
  return (
    <>
      <Field
        label={endpointCopy.url}
        name="url"
        type="url"
        inputMode="url"
        autoComplete="off"
        maxLength={2000}
        hint={endpointCopy.urlHint}
        defaultValue={endpoint?.url ?? ''}
        error={errors['url']}
      />
      <Field
        label={endpointCopy.description}
        name="description"
        autoComplete="off"
        maxLength={200}
        hint={endpointCopy.descriptionHint}
        defaultValue={endpoint?.description ?? ''}
        error={errors['description']}
      />
      <fieldset aria-describedby="types-hint">
        <Legend>{endpointCopy.types}</Legend>
        <FieldHint id="types-hint">{endpointCopy.typesHint}</FieldHint>
        {eventTypes.map((type) => (
          <Checkbox
            key={type}
            id={`type-${type}`}
            name="types"
            value={type}
            defaultChecked={endpoint?.types.includes(type) ?? false}
            label={
              <>
                <code>{type}</code>: {eventTypeCopy[type]}
              </>
            }
          />
        ))}
      </fieldset>
      <Select
        label={endpointCopy.payload}
        name="payload"
        options={payloadOptions}
        value={payload}
        onChoose={setPayload}
      />
      <Warning>{payload === 'full' ? payloadWarning : ''}</Warning>
    </>
  );
}

const Warning = styled.output`
  color: ${token.warning};
  font-weight: 500;
  line-height: 1.4;

  &:empty {
    display: none;
  }
`;

function buildInput(data: FormData): EndpointCreateInput {
  return {
    url: toText(data, 'url'),
    description: toText(data, 'description'),
    types: eventTypes.filter((type) => data.getAll('types').includes(type)),
    payload: eventPayloads.find((payload) => payload === data.get('payload')) ?? 'thin',
  };
}

function CreateEndpoint({ onClose }: { onClose: () => void }) {
  // The result contains the secret, so it is not cached.
  const create = adminApi.admin.webhooks.create.useMutation({ gcTime: 0 });
  return (
    <SecretForm
      submitLabel={endpointCopy.add}
      onClose={onClose}
      act={async (data) => {
        const { secret } = await create.mutateAsync(buildInput(data));
        return { secret, made: `${endpointCopy.added}. ${endpointCopy.secretLead}` };
      }}
    >
      {(errors) => <EndpointFields endpoint={null} errors={errors} />}
    </SecretForm>
  );
}

function UpdateEndpoint({ endpoint, onClose }: ActionProps) {
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

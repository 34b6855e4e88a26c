import { useState } from 'react';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { ActionForm } from '#client/admin/kit/ActionForm.tsx';
import { ShownOnce } from '#client/admin/kit/ShownOnce.tsx';
import { Dialog } from '#client/ui/Dialog.tsx';
import { showToast } from '#client/ui/Toast.tsx';
import type { WebhookEndpoint } from '#shared/admin/webhooks.ts';
import { endpointCopy } from '#client/admin/webhooks/copy.ts';
import { EndpointDialog } from './EndpointDialog.tsx';
import { hostOf, useEventsAnew } from './useEndpoints.ts';

/** What is about to be done to which endpoint. */
export interface Asked {
  kind: 'edit' | 'rotate' | 'off' | 'remove';
  endpoint: WebhookEndpoint;
}

interface EndpointQuestionsProps {
  asked: Asked | null;
  onClose: () => void;
}

interface QuestionProps {
  endpoint: WebhookEndpoint;
  onClose: () => void;
}

const titles = {
  rotate: endpointCopy.rotateOf,
  off: endpointCopy.switchOffOf,
  remove: endpointCopy.removeOf,
} as const;

/** The dialogs of one endpoint; each does its thing once it is confirmed. */
export function EndpointQuestions({ asked, onClose }: EndpointQuestionsProps) {
  const question = asked === null || asked.kind === 'edit' ? null : { ...asked, kind: asked.kind };
  return (
    <>
      <EndpointDialog
        open={asked?.kind === 'edit'}
        endpoint={asked?.kind === 'edit' ? asked.endpoint : null}
        onClose={onClose}
      />
      <Dialog
        open={question !== null}
        onClose={onClose}
        title={question === null ? '' : titles[question.kind](hostOf(question.endpoint))}
      >
        {question?.kind === 'rotate' ? <Rotate endpoint={question.endpoint} onClose={onClose} /> : null}
        {question?.kind === 'off' ? <SwitchOff endpoint={question.endpoint} onClose={onClose} /> : null}
        {question?.kind === 'remove' ? <Remove endpoint={question.endpoint} onClose={onClose} /> : null}
      </Dialog>
    </>
  );
}

function Rotate({ endpoint, onClose }: QuestionProps) {
  const anew = useEventsAnew();
  // As in EndpointDialog: kept here alone.
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
        await anew();
        setSecret(made.secret);
      }}
    >
      {() => <p>{endpointCopy.rotateNote}</p>}
    </ActionForm>
  );
}

function SwitchOff({ endpoint, onClose }: QuestionProps) {
  const anew = useEventsAnew();
  const { mutateAsync } = adminApi.events.switch.useMutation();
  return (
    <ActionForm
      submitLabel={endpointCopy.switchOff}
      onCancel={onClose}
      act={async () => {
        await mutateAsync({ id: endpoint.id, on: false });
        await anew();
        onClose();
        showToast({ title: endpointCopy.switchedOff(hostOf(endpoint)), tone: 'success' });
      }}
    >
      {() => <p>{endpointCopy.switchOffNote}</p>}
    </ActionForm>
  );
}

function Remove({ endpoint, onClose }: QuestionProps) {
  const anew = useEventsAnew();
  const { mutateAsync } = adminApi.events.remove.useMutation();
  return (
    <ActionForm
      submitLabel={endpointCopy.remove}
      onCancel={onClose}
      act={async () => {
        await mutateAsync({ id: endpoint.id });
        await anew();
        onClose();
        showToast({ title: endpointCopy.removed(hostOf(endpoint)), tone: 'success' });
      }}
    >
      {() => <p>{endpointCopy.removeNote}</p>}
    </ActionForm>
  );
}

import { useState } from 'react';
import { ActionForm } from '#client/admin/kit/ActionForm.tsx';
import { textOf } from '#client/admin/kit/text.ts';
import { reportDone } from '#client/admin/kit/reports.ts';
import { Field } from '#client/ui/Field.tsx';
import type { ReplayRest, WebhookEndpoint } from '#shared/admin/webhooks.ts';
import { replayCopy as copy } from './copy.ts';
import { useReplaySince } from './useEndpoints.ts';

interface ReplaySinceProps {
  endpoint: WebhookEndpoint;
  onClose: () => void;
}

/** The field's local time as ISO; empty for an invalid date, which the server rejects. */
function isoOf(local: string): string {
  const at = new Date(local);
  return Number.isNaN(at.getTime()) ? '' : at.toISOString();
}

/** Sends an endpoint all events since a time. What exceeds the maximum continues with another press. */
export function ReplaySince({ endpoint, onClose }: ReplaySinceProps) {
  const replay = useReplaySince();
  const [rest, setRest] = useState<{ queued: number; next: ReplayRest } | null>(null);
  async function act(data: FormData): Promise<void> {
    const from = rest?.next ?? { since: isoOf(textOf(data, 'since')) };
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

import { styled } from 'styled-components';
import { ActionButton } from '#client/admin/kit/ActionButton.tsx';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { attemptText } from '#client/admin/kit/copy.ts';
import { reportProblem, reportSuccess, withReport } from '#client/admin/kit/reports.ts';
import { adminCopy } from '#shared/admin/copy.ts';
import { type AttemptResult, endpointHost, type WebhookEndpoint } from '#shared/admin/webhooks.ts';
import type { EndpointAction } from './EndpointDialogs.tsx';
import { endpointCopy as copy, replayCopy } from './copy.ts';

export interface EndpointActionsProps {
  endpoint: WebhookEndpoint;
  onAction: (action: EndpointAction) => void;
}

/** An endpoint's buttons. Actions that can't be undone open a dialog. */
export function EndpointActions({ endpoint, onAction }: EndpointActionsProps) {
  const host = endpointHost(endpoint);
  const test = adminApi.admin.webhooks.test.useMutation(
    withReport({ failed: copy.failed, onDone: (result) => reportTest(host, result) }),
  );
  // Switching off has a dialog.
  const switchOn = adminApi.admin.webhooks.switch.useMutation(
    withReport({ done: copy.switchedOn(host), failed: copy.failed }),
  );
  const open = (kind: EndpointAction['kind']) => () => onAction({ kind, endpoint });
  return (
    <Row>
      <ActionButton
        aria-label={copy.testOf(host)}
        isBusy={test.isPending}
        onClick={() => test.mutate({ id: endpoint.id })}
      >
        {test.isPending ? copy.testing : copy.test}
      </ActionButton>
      <ActionButton variant="quiet" aria-label={copy.editOf(host)} onClick={open('edit')}>
        {copy.edit}
      </ActionButton>
      <ActionButton variant="quiet" aria-label={copy.rotateOf(host)} onClick={open('rotate')}>
        {copy.rotate}
      </ActionButton>
      <ActionButton
        variant="quiet"
        aria-label={replayCopy.openOf(host)}
        disabled={endpoint.state === 'off'}
        onClick={open('replay')}
      >
        {replayCopy.open}
      </ActionButton>
      {endpoint.state === 'off' ? (
        <ActionButton
          variant="quiet"
          aria-label={copy.switchOnOf(host)}
          disabled={switchOn.isPending}
          onClick={() => switchOn.mutate({ id: endpoint.id, on: true })}
        >
          {copy.switchOn}
        </ActionButton>
      ) : (
        <ActionButton variant="quiet" aria-label={copy.switchOffOf(host)} onClick={open('off')}>
          {copy.switchOff}
        </ActionButton>
      )}
      <ActionButton variant="quiet" aria-label={copy.removeOf(host)} onClick={open('remove')}>
        {copy.remove}
      </ActionButton>
    </Row>
  );
}

function reportTest(host: string, result: AttemptResult): void {
  if (result.delivered) reportSuccess(`${copy.tested(host)} (${attemptText(result)})`);
  else reportProblem(copy.testFailed(host), result.reason ?? adminCopy.error);
}

const Row = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: 0.375rem;
  margin-block-start: 0.25rem;
`;

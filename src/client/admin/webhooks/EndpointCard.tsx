import { styled } from 'styled-components';
import { DeliveriesLink } from '#client/admin/kit/DeliveriesLink.tsx';
import { dayText, instantHint, instantText } from '#client/admin/kit/times.ts';
import { token } from '#client/theme/tokens.ts';
import { Badge, type BadgeTone } from '#client/ui/Badge.tsx';
import {
  type AttemptResult,
  endpointHost,
  type EndpointSwitch,
  type WebhookEndpoint,
} from '#shared/admin/webhooks.ts';
import { disabledCopy, endpointCopy as copy, payloadCopy, replayCopy } from './copy.ts';
import { ActionButton } from '#client/admin/kit/ActionButton.tsx';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { attemptText } from '#client/admin/kit/copy.ts';
import { reportProblem, reportSuccess, withReport } from '#client/admin/kit/reports.ts';
import { adminCopy } from '#shared/admin/copy.ts';
import type { EndpointAction } from './EndpointDialogs.tsx';

const tones: Record<WebhookEndpoint['state'], BadgeTone> = {
  on: 'success',
  failing: 'warning',
  off: 'danger',
};

export function EndpointCard({ endpoint, onAction }: EndpointActionsProps) {
  const { url, description, types, payload, state } = endpoint;
  return (
    <Card>
      <Head>
        <h2>{description === '' ? endpointHost(endpoint) : description}</h2>
        <Badge tone={tones[state]}>{copy.state[state]}</Badge>
        {payload === 'full' ? <Badge tone="warning">{payloadCopy.full}</Badge> : null}
      </Head>
      <Url>{url}</Url>
      <p>{copy.typesOf(types)}</p>
      <Health endpoint={endpoint} />
      <Created>{copy.createdBy(endpoint.created_by, dayText(endpoint.created_at))}</Created>
      <DeliveriesLink search={{ endpoint: endpoint.id }} label={copy.deliveriesOf(endpointHost(endpoint))}>
        {copy.deliveries}
      </DeliveriesLink>
      <EndpointActions endpoint={endpoint} onAction={onAction} />
    </Card>
  );
}

/** Sentences about problems, and about a secret that was replaced. */
function Health({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { state, failures, failing_since, disabled_at, disabled_reason, both_secrets_until } = endpoint;
  return (
    <>
      {disabled_at === null || disabled_reason === null ? null : (
        <p>{disabledCopy[disabled_reason](dayText(disabled_at))}</p>
      )}
      {state === 'failing' && failing_since !== null ? (
        <p title={instantHint(failing_since)}>{copy.failures(failures, instantText(failing_since))}</p>
      ) : null}
      {both_secrets_until === null ? null : (
        <p title={instantHint(both_secrets_until)}>{copy.bothUntil(instantText(both_secrets_until))}</p>
      )}
    </>
  );
}

const Card = styled.article`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 0.375rem;
  padding: 1rem;
  border: 1px solid ${token.line};
  border-radius: ${token.radius};
  background: ${token.background};
  font-size: 0.9375rem;
  line-height: 1.4;
`;

const Head = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 0.375rem 0.75rem;

  & > h2 {
    font-size: ${token.text};
    overflow-wrap: anywhere;
  }
`;

const Url = styled.code`
  color: ${token.muted};
  font-size: 0.875rem;
  overflow-wrap: anywhere;
`;

const Created = styled.p`
  color: ${token.muted};
`;

export interface EndpointActionsProps {
  endpoint: WebhookEndpoint;
  onAction: (action: EndpointAction) => void;
}

/** An endpoint's buttons. Actions that can't be undone open a dialog. */
function EndpointActions({ endpoint, onAction }: EndpointActionsProps) {
  const host = endpointHost(endpoint);
  const test = adminApi.admin.webhooks.test.useMutation(
    withReport({ failed: copy.failed, onDone: (result) => reportTest(host, result) }),
  );
  const report = {
    done: (_: WebhookEndpoint, { on }: EndpointSwitch) =>
      on ? copy.switchedOn(host) : copy.switchedOff(host),
    failed: copy.failed,
  };
  const undo = adminApi.admin.webhooks.switch.useMutation(withReport(report));
  const change = adminApi.admin.webhooks.switch.useMutation(
    withReport({
      ...report,
      undo:
        (_, { id, on }) =>
        () =>
          undo.mutate({ id, on: !on, undo: true }),
    }),
  );
  const isOff = endpoint.state === 'off';
  const open = (kind: EndpointAction['kind']) => () => onAction({ kind, endpoint });
  return (
    <Actions>
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
        disabled={isOff}
        onClick={open('replay')}
      >
        {replayCopy.open}
      </ActionButton>
      <ActionButton
        variant="quiet"
        aria-label={isOff ? copy.switchOnOf(host) : copy.switchOffOf(host)}
        title={isOff ? undefined : copy.switchOffNote}
        isBusy={change.isPending || undo.isPending}
        onClick={() => change.mutate({ id: endpoint.id, on: isOff })}
      >
        {isOff ? copy.switchOn : copy.switchOff}
      </ActionButton>
      <ActionButton variant="quiet" aria-label={copy.removeOf(host)} onClick={open('remove')}>
        {copy.remove}
      </ActionButton>
    </Actions>
  );
}

function reportTest(host: string, result: AttemptResult): void {
  if (result.delivered) reportSuccess(`${copy.tested(host)} (${attemptText(result)})`);
  else reportProblem(copy.testFailed(host), result.reason ?? adminCopy.error);
}

const Actions = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: 0.375rem;
  margin-block-start: 0.25rem;
`;

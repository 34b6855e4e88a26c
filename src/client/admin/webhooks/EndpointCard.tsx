import { styled } from 'styled-components';
import { DeliveriesLink } from '#client/admin/kit/DeliveriesLink.tsx';
import { dayText, instantHint, instantText } from '#client/admin/kit/times.ts';
import { token } from '#client/theme/tokens.ts';
import { Badge, type BadgeTone } from '#client/ui/Badge.tsx';
import { endpointHost, type WebhookEndpoint } from '#shared/admin/webhooks.ts';
import { disabledCopy, endpointCopy as copy, payloadCopy } from './copy.ts';
import { EndpointActions, type EndpointActionsProps } from './EndpointActions.tsx';

const tones: Record<WebhookEndpoint['state'], BadgeTone> = {
  on: 'success',
  failing: 'warning',
  off: 'danger',
};

/** One endpoint: URL, event types, health and actions. */
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

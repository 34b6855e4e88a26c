import { styled } from 'styled-components';
import { dayText, instantText } from '#client/admin/kit/times.ts';
import { token } from '#client/theme/tokens.ts';
import { Badge, type BadgeTone } from '#client/ui/Badge.tsx';
import type { WebhookEndpoint } from '#shared/admin/webhooks.ts';
import { disabledCopy, endpointCopy as copy, payloadCopy } from '#client/admin/webhooks/copy.ts';
import { EndpointActions, type EndpointActionsProps } from './EndpointActions.tsx';
import { hostOf } from './useEndpoints.ts';

const tones: Record<WebhookEndpoint['state'], BadgeTone> = {
  on: 'success',
  failing: 'warning',
  off: 'danger',
};

/** One endpoint: where it is, what it is told of, how it fares, and what can be done with it. */
export function EndpointCard({ endpoint, onAsk }: EndpointActionsProps) {
  const { url, description, types, payload, state } = endpoint;
  return (
    <Card>
      <Head>
        <h2>{description === '' ? hostOf(endpoint) : description}</h2>
        <Badge tone={tones[state]}>{copy.state[state]}</Badge>
        {payload === 'full' ? <Badge tone="warning">{payloadCopy.full}</Badge> : null}
      </Head>
      <Url>{url}</Url>
      <p>
        {copy.toldOf}: {types.length === 0 ? copy.all : types.join(', ')}
      </p>
      <Health endpoint={endpoint} />
      <Made>{copy.made(endpoint.created_by, dayText(endpoint.created_at))}</Made>
      <EndpointActions endpoint={endpoint} onAsk={onAsk} />
    </Card>
  );
}

/** Sentences about what isn't as usual. */
function Health({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { state, failures, failing_since, disabled_at, disabled_reason, both_secrets_until } = endpoint;
  return (
    <>
      {disabled_at === null || disabled_reason === null ? null : (
        <p>{disabledCopy[disabled_reason](dayText(disabled_at))}</p>
      )}
      {state === 'failing' && failing_since !== null ? (
        <p>{copy.failures(failures, instantText(failing_since))}</p>
      ) : null}
      {both_secrets_until === null ? null : <p>{copy.bothUntil(instantText(both_secrets_until))}</p>}
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

const Made = styled.p`
  color: ${token.muted};
`;

import { styled } from 'styled-components';
import { Button } from '#client/ui/Button.tsx';
import type { WebhookEndpoint } from '#shared/admin/webhooks.ts';
import { endpointCopy as copy } from '#client/admin/webhooks/copy.ts';
import type { Asked } from './EndpointDialogs.tsx';
import { hostOf, useSwitchOn, useTest } from './useEndpoints.ts';

export interface EndpointActionsProps {
  endpoint: WebhookEndpoint;
  onAsk: (asked: Asked) => void;
}

/** What can be done with an endpoint; what can't be undone is asked about first. */
export function EndpointActions({ endpoint, onAsk }: EndpointActionsProps) {
  const test = useTest(endpoint);
  const switchOn = useSwitchOn(endpoint);
  const host = hostOf(endpoint);
  const asking = (kind: Asked['kind']) => () => onAsk({ kind, endpoint });
  return (
    <Row>
      <Button
        size="small"
        variant="secondary"
        aria-label={copy.testOf(host)}
        disabled={test.isPending}
        onClick={() => test.mutate({ id: endpoint.id })}
      >
        {test.isPending ? copy.testing : copy.test}
      </Button>
      <Button size="small" variant="quiet" aria-label={copy.editOf(host)} onClick={asking('edit')}>
        {copy.edit}
      </Button>
      <Button size="small" variant="quiet" aria-label={copy.rotateOf(host)} onClick={asking('rotate')}>
        {copy.rotate}
      </Button>
      {endpoint.state === 'off' ? (
        <Button
          size="small"
          variant="quiet"
          aria-label={copy.switchOnOf(host)}
          disabled={switchOn.isPending}
          onClick={() => switchOn.mutate({ id: endpoint.id, on: true })}
        >
          {copy.switchOn}
        </Button>
      ) : (
        <Button size="small" variant="quiet" aria-label={copy.switchOffOf(host)} onClick={asking('off')}>
          {copy.switchOff}
        </Button>
      )}
      <Button size="small" variant="quiet" aria-label={copy.removeOf(host)} onClick={asking('remove')}>
        {copy.remove}
      </Button>
    </Row>
  );
}

const Row = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: 0.375rem;
  margin-block-start: 0.25rem;
`;

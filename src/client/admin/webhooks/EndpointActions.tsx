import { styled } from 'styled-components';
import { Button } from '#client/ui/Button.tsx';
import type { WebhookEndpoint } from '#shared/admin/webhooks.ts';
import { endpointWords as words } from '#client/admin/webhooks/copy.ts';
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
        aria-label={words.testOf(host)}
        disabled={test.isPending}
        onClick={() => test.mutate({ id: endpoint.id })}
      >
        {test.isPending ? words.testing : words.test}
      </Button>
      <Button size="small" variant="quiet" aria-label={words.editOf(host)} onClick={asking('edit')}>
        {words.edit}
      </Button>
      <Button size="small" variant="quiet" aria-label={words.rotateOf(host)} onClick={asking('rotate')}>
        {words.rotate}
      </Button>
      {endpoint.state === 'off' ? (
        <Button
          size="small"
          variant="quiet"
          aria-label={words.switchOnOf(host)}
          disabled={switchOn.isPending}
          onClick={() => switchOn.mutate({ id: endpoint.id, on: true })}
        >
          {words.switchOn}
        </Button>
      ) : (
        <Button size="small" variant="quiet" aria-label={words.switchOffOf(host)} onClick={asking('off')}>
          {words.switchOff}
        </Button>
      )}
      <Button size="small" variant="quiet" aria-label={words.removeOf(host)} onClick={asking('remove')}>
        {words.remove}
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

import { styled } from 'styled-components';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { Instant } from '#client/admin/kit/RelativeTime.tsx';
import { LoadFailure } from '#client/admin/kit/LoadFailure.tsx';
import { media, token } from '#client/theme/tokens.ts';
import { Badge } from '#client/ui/Badge.tsx';
import { Dialog } from '#client/ui/Dialog.tsx';
import type { AdminDelivery, DeliveryAttempt } from '#shared/admin/adminDeliveries.ts';
import { attemptText } from '#client/admin/kit/copy.ts';
import { attemptCopy as copy, deliveryListCopy } from './copy.ts';
import { deliveryName } from './DeliveryCells.tsx';

interface AttemptsDialogProps {
  delivery: AdminDelivery | null;
  onClose: () => void;
}

/** Every attempt of a delivery with its response, oldest first. */
export function AttemptsDialog({ delivery, onClose }: AttemptsDialogProps) {
  return (
    <Dialog
      open={delivery !== null}
      onClose={onClose}
      title={delivery === null ? '' : copy.title(deliveryName(delivery))}
    >
      {delivery === null ? null : <Attempts delivery={delivery} />}
    </Dialog>
  );
}

function Attempts({ delivery: { id, event } }: { delivery: AdminDelivery }) {
  const { data, error, refetch } = adminApi.admin.deliveries.get.useQuery(
    { id },
    { refetchOnMount: 'always', select: ({ history }) => history },
  );
  if (error !== null)
    return <LoadFailure error={error} fallback={copy.loadFailed} onRetry={() => void refetch()} />;
  if (data === undefined) return <output>{copy.loading}</output>;
  return (
    <Panel>
      {event === null ? null : (
        <p>
          {copy.webhookId}: <Code>{event.webhookId}</Code>
        </p>
      )}
      {data.length === 0 ? <p>{deliveryListCopy.noAttempts}</p> : null}
      <List>
        {data.map((attempt) => (
          <li key={attempt.at}>
            <Attempt attempt={attempt} />
          </li>
        ))}
      </List>
    </Panel>
  );
}

function Attempt({ attempt }: { attempt: DeliveryAttempt }) {
  const { at, delivered, reason, answer, address } = attempt;
  return (
    <>
      <Line>
        <Instant iso={at} />
        <Badge tone={delivered ? 'success' : 'danger'}>{delivered ? copy.delivered : copy.failed}</Badge>
        <span>{attemptText(attempt)}</span>
      </Line>
      {address === null ? null : <p>{copy.address(address)}</p>}
      {reason === null ? null : <p>{reason}</p>}
      {answer === null ? null : (
        <details>
          <Summary>{copy.answer}</Summary>
          <Answer>{answer}</Answer>
        </details>
      )}
    </>
  );
}

const Panel = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 1rem;
`;

const Code = styled.code`
  font-size: 0.875rem;
  overflow-wrap: anywhere;
`;

const List = styled.ol`
  display: grid;
  gap: 0.75rem;
  margin: 0;
  padding: 0;
  list-style: none;
`;

const Line = styled.p`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 0.25rem 0.75rem;
`;

const Summary = styled.summary`
  cursor: pointer;

  ${media.touch} {
    padding-block: 0.75rem;
  }
`;

const Answer = styled.pre`
  margin: 0;
  padding: 0.75rem;
  border-radius: ${token.radius};
  background: ${token.tint};
  font-size: 0.8125rem;
  white-space: pre-wrap;
  overflow-wrap: anywhere;
`;

import { styled } from 'styled-components';
import { LoadFailure } from '#client/admin/kit/LoadFailure.tsx';
import { Instant } from '#client/admin/kit/RelativeTime.tsx';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { attemptText } from '#client/admin/kit/copy.ts';
import { Row, Stack } from '#client/admin/kit/layout.tsx';
import { media, token } from '#client/theme/tokens.ts';
import { Badge } from '#client/ui/Badge.tsx';
import { Dialog } from '#client/ui/Dialog.tsx';
import type { AdminDelivery, DeliveryAttempt } from '#shared/admin/adminDeliveries.ts';
import { deliveryName } from './DeliveryCells.tsx';
import { attemptCopy as copy, deliveryListCopy } from './copy.ts';

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
    <Stack>
      {event === null ? null : (
        <p>
          {copy.webhookId}: <Code>{event.webhookId}</Code>
        </p>
      )}
      {data.length === 0 ? <p>{deliveryListCopy.noAttempts}</p> : null}
      <Stack as="ol" $gap="0.75rem">
        {data.map((attempt) => (
          <li key={attempt.at}>
            <Attempt attempt={attempt} />
          </li>
        ))}
      </Stack>
    </Stack>
  );
}

function Attempt({ attempt }: { attempt: DeliveryAttempt }) {
  const { at, delivered, reason, answer, address } = attempt;
  return (
    <>
      <Row as="p" $gap="0.25rem 0.75rem">
        <Instant iso={at} />
        <Badge tone={delivered ? 'success' : 'danger'}>{delivered ? copy.delivered : copy.failed}</Badge>
        <span>{attemptText(attempt)}</span>
      </Row>
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

const Code = styled.code`
  font-size: 0.875rem;
  overflow-wrap: anywhere;
`;

const Summary = styled.summary`
  cursor: pointer;

  ${media.touch} {
    padding-block: 0.75rem;
  }
`;

const Answer = styled.pre`
  padding: 0.75rem;
  border-radius: ${token.radius};
  background: ${token.tint};
  font-size: 0.8125rem;
  white-space: pre-wrap;
  overflow-wrap: anywhere;
`;

import { styled } from 'styled-components';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { instantText } from '#client/admin/kit/times.ts';
import { LoadFailure } from '#client/admin/kit/LoadFailure.tsx';
import { token } from '#client/theme/tokens.ts';
import { Badge } from '#client/ui/Badge.tsx';
import { Dialog } from '#client/ui/Dialog.tsx';
import type { MessageAttempt, WebhookMessage } from '#shared/admin/webhooks.ts';
import { endpointCopy, messageCopy as copy } from '#client/admin/webhooks/copy.ts';
import { answerText } from './useEndpoints.ts';

interface AttemptsDialogProps {
  message: WebhookMessage | null;
  onClose: () => void;
}

/** Every try to deliver a message, and what was answered. */
export function AttemptsDialog({ message, onClose }: AttemptsDialogProps) {
  return (
    <Dialog
      open={message !== null}
      onClose={onClose}
      title={message === null ? '' : copy.showAttemptsOf(message.type, String(message.id))}
    >
      {message === null ? null : <Attempts message={message} />}
    </Dialog>
  );
}

function Attempts({ message }: { message: WebhookMessage }) {
  const attempts = adminApi.events.attempts.useQuery({ id: message.id }, { refetchOnMount: 'always' });
  if (attempts.error !== null)
    return (
      <LoadFailure
        error={attempts.error}
        fallback={copy.attemptsFailed}
        onRetry={() => void attempts.refetch()}
      />
    );
  if (attempts.data === undefined) return <output>{endpointCopy.loading}</output>;
  return (
    <Panel>
      <p>
        {copy.webhookId}: <Code>{message.webhook_id}</Code>
      </p>
      {attempts.data.length === 0 ? <p>{copy.noAttempts}</p> : null}
      <List>
        {attempts.data.map((one) => (
          <li key={one.at}>
            <Attempt one={one} />
          </li>
        ))}
      </List>
    </Panel>
  );
}

function Attempt({ one }: { one: MessageAttempt }) {
  return (
    <>
      <Line>
        <time dateTime={one.at}>{instantText(one.at)}</time>
        <Badge tone={one.delivered ? 'success' : 'danger'}>
          {one.delivered ? copy.delivered : copy.failed}
        </Badge>
        <span>{answerText(one)}</span>
      </Line>
      {one.reason === null ? null : <p>{one.reason}</p>}
      {one.answer === null ? null : (
        <details>
          <summary>{copy.answer}</summary>
          <Answer>{one.answer}</Answer>
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

const Answer = styled.pre`
  margin: 0;
  padding: 0.75rem;
  border-radius: ${token.radius};
  background: ${token.tint};
  font-size: 0.8125rem;
  white-space: pre-wrap;
  overflow-wrap: anywhere;
`;

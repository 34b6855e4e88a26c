import { styled } from 'styled-components';
import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { instantText } from '#client/admin/kit/times.ts';
import { LoadFailure } from '#client/admin/kit/LoadFailure.tsx';
import { token } from '#client/theme/tokens.ts';
import { Badge } from '#client/ui/Badge.tsx';
import { Dialog } from '#client/ui/Dialog.tsx';
import type { MessageTry, WebhookMessage } from '#shared/admin/webhooks.ts';
import { endpointWords, messageWords as words } from '#client/admin/webhooks/copy.ts';
import { answerText } from './useEndpoints.ts';

interface TriesDialogProps {
  message: WebhookMessage | null;
  onClose: () => void;
}

/** Every try to deliver a message, and what was answered. */
export function TriesDialog({ message, onClose }: TriesDialogProps) {
  return (
    <Dialog
      open={message !== null}
      onClose={onClose}
      title={message === null ? '' : words.showTriesOf(message.type, String(message.id))}
    >
      {message === null ? null : <Tries message={message} />}
    </Dialog>
  );
}

function Tries({ message }: { message: WebhookMessage }) {
  const tries = adminApi.events.tries.useQuery({ id: message.id }, { refetchOnMount: 'always' });
  if (tries.error !== null)
    return (
      <LoadFailure error={tries.error} fallback={words.triesFailed} onRetry={() => void tries.refetch()} />
    );
  if (tries.data === undefined) return <output>{endpointWords.loading}</output>;
  return (
    <Room>
      <p>
        {words.webhookId}: <Code>{message.webhook_id}</Code>
      </p>
      {tries.data.length === 0 ? <p>{words.noTries}</p> : null}
      <List>
        {tries.data.map((one) => (
          <li key={one.at}>
            <Try one={one} />
          </li>
        ))}
      </List>
    </Room>
  );
}

function Try({ one }: { one: MessageTry }) {
  return (
    <>
      <Line>
        <time dateTime={one.at}>{instantText(one.at)}</time>
        <Badge tone={one.delivered ? 'success' : 'danger'}>
          {one.delivered ? words.delivered : words.failed}
        </Badge>
        <span>{answerText(one)}</span>
      </Line>
      {one.reason === null ? null : <p>{one.reason}</p>}
      {one.answer === null ? null : (
        <details>
          <summary>{words.answer}</summary>
          <Answer>{one.answer}</Answer>
        </details>
      )}
    </>
  );
}

const Room = styled.div`
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

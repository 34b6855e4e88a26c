import { styled } from 'styled-components';
import { instantText } from '#client/admin/kit/times.ts';
import { token } from '#client/theme/tokens.ts';
import { Badge, type BadgeTone } from '#client/ui/Badge.tsx';
import type { MessageState, WebhookMessage } from '#shared/admin/webhooks.ts';
import { messageCopy as copy } from '#client/admin/webhooks/copy.ts';

const tones: Record<MessageState, BadgeTone> = {
  queued: 'brand',
  delivered: 'success',
  failed: 'danger',
  cancelled: 'neutral',
};

/** How far a message is, why, and when it is tried again. */
export function MessageStatus({ message }: { message: WebhookMessage }) {
  const { state, attempts, reason, next_try_at } = message;
  const next =
    state === 'queued' && attempts > 0 && next_try_at !== null
      ? copy.nextAttempt(instantText(next_try_at))
      : null;
  return (
    <Stack>
      <Badge tone={tones[state]}>{copy.states[state]}</Badge>
      {state === 'delivered' || reason === null ? null : <small>{reason}</small>}
      {attempts === 0 ? null : (
        <small>{[copy.attempts(attempts), next].filter((part) => part !== null).join(', ')}</small>
      )}
    </Stack>
  );
}

const Stack = styled.div`
  display: grid;
  justify-items: start;
  gap: 0.125rem;
  min-inline-size: 9rem;

  & > small {
    color: ${token.muted};
    font-size: 0.8125rem;
  }
`;

import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { RelativeTime, useNow } from '#client/admin/kit/RelativeTime.tsx';
import { reportFailure, reportSuccess } from '#client/admin/kit/reports.ts';
import { RowActions } from '#client/admin/kit/SettingsFrame.tsx';
import { Button } from '#client/ui/Button.tsx';
import { Table, TableFrame } from '#client/ui/Table.tsx';
import { VisuallyHidden } from '#client/ui/VisuallyHidden.tsx';
import { adminCopy } from '#shared/admin/copy.ts';
import { testType, type WebhookEndpoint, type WebhookMessage } from '#shared/admin/webhooks.ts';
import { messageCopy as copy } from '#client/admin/webhooks/copy.ts';
import { MessageStatus } from './MessageStatus.tsx';
import { hostOf, useEventsAnew } from './useEndpoints.ts';

interface MessageTableProps {
  messages: readonly WebhookMessage[];
  endpoints: readonly WebhookEndpoint[];
  isBusy: boolean;
  onShow: (message: WebhookMessage) => void;
}

/** A row a message, with its tries and the way to send it again. */
export function MessageTable({ messages, endpoints, isBusy, onShow }: MessageTableProps) {
  const now = useNow();
  const { columns } = copy;
  return (
    <TableFrame label={copy.caption} isBusy={isBusy}>
      <Table>
        <thead>
          <tr>
            <th scope="col">{columns.at}</th>
            <th scope="col">{columns.type}</th>
            <th scope="col">{columns.about}</th>
            <th scope="col">{columns.to}</th>
            <th scope="col">{columns.state}</th>
            <th scope="col">
              <VisuallyHidden>{columns.actions}</VisuallyHidden>
            </th>
          </tr>
        </thead>
        <tbody>
          {messages.map((message) => {
            const endpoint = endpoints.find(({ id }) => id === message.endpoint_id);
            return (
              <tr key={message.id}>
                <td>
                  <RelativeTime iso={message.at} now={now} />
                </td>
                <th scope="row">{message.type}</th>
                <td>{aboutOf(message)}</td>
                <td>{endpoint === undefined ? copy.goneEndpoint : hostOf(endpoint)}</td>
                <td>
                  <MessageStatus message={message} />
                </td>
                <td>
                  <Actions
                    message={message}
                    canReplay={endpoint !== undefined && endpoint.state !== 'off'}
                    onShow={onShow}
                  />
                </td>
              </tr>
            );
          })}
        </tbody>
      </Table>
    </TableFrame>
  );
}

function aboutOf({ lead_id, provider_id }: WebhookMessage): string {
  if (lead_id !== null) return copy.aboutLead(lead_id);
  return provider_id === null ? adminCopy.none : copy.aboutProvider(provider_id);
}

interface ActionsProps {
  message: WebhookMessage;
  canReplay: boolean;
  onShow: (message: WebhookMessage) => void;
}

function Actions({ message, canReplay, onShow }: ActionsProps) {
  const anew = useEventsAnew();
  const replay = adminApi.events.replay.useMutation({
    onSuccess: () => reportSuccess(copy.replayed),
    onError: (error) => reportFailure(error, copy.replayFailed),
    onSettled: anew,
  });
  const { id, type } = message;
  return (
    <RowActions>
      <Button
        variant="quiet"
        aria-label={copy.showAttemptsOf(type, String(id))}
        onClick={() => onShow(message)}
      >
        {copy.showAttempts}
      </Button>
      {type === testType ? null : (
        <Button
          variant="quiet"
          aria-label={copy.replayOf(type, String(id))}
          disabled={!canReplay || replay.isPending}
          onClick={() => replay.mutate({ id })}
        >
          {copy.replay}
        </Button>
      )}
    </RowActions>
  );
}

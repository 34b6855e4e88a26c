import { adminApi } from '#client/admin/kit/adminApi.tsx';
import { Moment, useNow } from '#client/admin/kit/RelativeTime.tsx';
import { reportFailure, reportSuccess } from '#client/admin/kit/reports.ts';
import { RowActions } from '#client/admin/kit/SettingsFrame.tsx';
import { Button } from '#client/ui/Button.tsx';
import { Table, TableFrame } from '#client/ui/Table.tsx';
import { VisuallyHidden } from '#client/ui/VisuallyHidden.tsx';
import { adminWords } from '#shared/admin/copy.ts';
import { testType, type WebhookEndpoint, type WebhookMessage } from '#shared/admin/webhooks.ts';
import { messageWords as words } from '#client/admin/webhooks/copy.ts';
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
  const { columns } = words;
  return (
    <TableFrame label={words.caption} isBusy={isBusy}>
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
                  <Moment iso={message.at} now={now} />
                </td>
                <th scope="row">{message.type}</th>
                <td>{aboutOf(message)}</td>
                <td>{endpoint === undefined ? words.goneEndpoint : hostOf(endpoint)}</td>
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
  if (lead_id !== null) return words.aboutLead(lead_id);
  return provider_id === null ? adminWords.none : words.aboutProvider(provider_id);
}

interface ActionsProps {
  message: WebhookMessage;
  canReplay: boolean;
  onShow: (message: WebhookMessage) => void;
}

function Actions({ message, canReplay, onShow }: ActionsProps) {
  const anew = useEventsAnew();
  const replay = adminApi.events.replay.useMutation({
    onSuccess: () => reportSuccess(words.replayed),
    onError: (error) => reportFailure(error, words.replayFailed),
    onSettled: anew,
  });
  const { id, type } = message;
  return (
    <RowActions>
      <Button
        variant="quiet"
        aria-label={words.showTriesOf(type, String(id))}
        onClick={() => onShow(message)}
      >
        {words.showTries}
      </Button>
      {type === testType ? null : (
        <Button
          variant="quiet"
          aria-label={words.replayOf(type, String(id))}
          disabled={!canReplay || replay.isPending}
          onClick={() => replay.mutate({ id })}
        >
          {words.replay}
        </Button>
      )}
    </RowActions>
  );
}

import { styled } from 'styled-components';
import { Link } from 'wouter';
import { RelativeTime, Upcoming } from '#client/admin/kit/RelativeTime.tsx';
import { RowCheckbox } from '#client/admin/kit/RowCheckbox.tsx';
import type { Selection } from '#client/admin/kit/useSelection.ts';
import { token } from '#client/theme/tokens.ts';
import { Badge, type BadgeTone } from '#client/ui/Badge.tsx';
import { Button } from '#client/ui/Button.tsx';
import { CircleAlert, CircleCheck, CirclePause, Clock, RefreshCw, X } from '#client/ui/Icon.tsx';
import type { AdminDelivery } from '#shared/admin/adminDeliveries.ts';
import type { DeliveryState } from '#shared/admin/deliveries.ts';
import { deliveryListCopy as copy } from './copy.ts';
import { deliveryChannelNames, leadDetailCopy } from '#shared/admin/leadCopy.ts';
import { deliveryName, subjectName } from './deliveryName.ts';

const looks: Record<DeliveryState, { tone: BadgeTone; Mark: typeof Clock }> = {
  queued: { tone: 'brand', Mark: Clock },
  delivered: { tone: 'success', Mark: CircleCheck },
  failed: { tone: 'danger', Mark: CircleAlert },
  held: { tone: 'warning', Mark: CirclePause },
  cancelled: { tone: 'neutral', Mark: X },
};

interface DeliveryRowProps {
  delivery: AdminDelivery;
  now: number;
  hrefOfLead: (id: number) => string;
  /** Null for viewers. */
  selection: Selection<string> | null;
  isBusy: boolean;
  onShowAttempts: (delivery: AdminDelivery) => void;
  onRetry: (id: string) => void;
}

/** Whether it is selected with others: not one that arrived, which is replayed by itself. */
export function isSelectable({ isRetryable, state }: AdminDelivery): boolean {
  return isRetryable && state !== 'delivered';
}

/** One delivery: subject, recipient, state, attempts and the button that retries it. */
export function DeliveryRow(props: DeliveryRowProps) {
  const { delivery, now, hrefOfLead, selection, isBusy, onShowAttempts } = props;
  const { id, event, reason, requestedBy, createdAt } = delivery;
  const canSelect = selection !== null && isSelectable(delivery);
  return (
    <tr data-delivery={id} data-chosen={canSelect && selection.has(id) ? '' : undefined} aria-busy={isBusy}>
      {selection === null ? null : (
        <td>
          {canSelect ? (
            <RowCheckbox
              label={copy.select(deliveryName(delivery))}
              isChecked={selection.has(id)}
              onCheck={(isChecked) => selection.select(id, isChecked)}
            />
          ) : null}
        </td>
      )}
      <Cell as="th" scope="row">
        <Subject delivery={delivery} hrefOfLead={hrefOfLead} />
      </Cell>
      <Cell>
        <Recipient delivery={delivery} />
      </Cell>
      <Wide>
        <DeliveryStateBadge state={delivery.state} isInProgress={delivery.isInProgress} />
        {reason === null ? null : <Muted>{reason}</Muted>}
      </Wide>
      <NoWrapCell>
        <Attempts delivery={delivery} now={now} onShow={() => onShowAttempts(delivery)} />
      </NoWrapCell>
      <td>
        <RelativeTime iso={createdAt} now={now} />
      </td>
      <td>{requestedBy ?? (event === null ? copy.onArrival : copy.onEvent)}</td>
      {selection === null ? null : (
        <td>
          <RetryButton {...props} />
        </td>
      )}
    </tr>
  );
}

/** The lead with a link to its drawer; of a webhook perhaps a provider, a sync or a test. */
function Subject({ delivery, hrefOfLead }: Pick<DeliveryRowProps, 'delivery' | 'hrefOfLead'>) {
  const { lead, event } = delivery;
  const name = subjectName(delivery);
  if (lead === null || lead.name === null)
    return (
      <>
        {name}
        {event === null ? null : <Muted>{event.type}</Muted>}
      </>
    );
  return (
    <>
      <Name href={hrefOfLead(lead.id)} aria-label={copy.openLead(lead.name)}>
        {lead.name}
      </Name>{' '}
      {lead.isDeleted ? <Badge>{copy.deleted}</Badge> : null}
      <Muted>{event === null ? leadDetailCopy.number(lead.id) : event.type}</Muted>
    </>
  );
}

function Recipient({ delivery: { channel, provider, endpoint } }: Pick<DeliveryRowProps, 'delivery'>) {
  return (
    <>
      {deliveryChannelNames[channel]}
      <Muted>
        {endpoint === null ? (provider?.name ?? copy.noProvider) : (endpoint.host ?? copy.removedEndpoint)}
      </Muted>
    </>
  );
}

/** Each state with its own icon and word. */
function DeliveryStateBadge({ state, isInProgress }: Pick<AdminDelivery, 'state' | 'isInProgress'>) {
  const { tone, Mark } = looks[state];
  if (isInProgress)
    return (
      <Badge tone="brand">
        <RefreshCw />
        {copy.inProgress}
      </Badge>
    );
  return (
    <Badge tone={tone}>
      <Mark />
      {copy.states[state]}
    </Badge>
  );
}

interface AttemptsProps {
  delivery: AdminDelivery;
  now: number;
  onShow: () => void;
}

function Attempts({ delivery, now, onShow }: AttemptsProps) {
  const { attempts, nextAttemptAt, isInProgress } = delivery;
  return (
    <>
      {attempts === 0 ? (
        copy.noAttempts
      ) : (
        <CellButton
          variant="quiet"
          size="small"
          aria-haspopup="dialog"
          aria-label={copy.attemptsOf(copy.attempts(attempts), deliveryName(delivery))}
          onClick={onShow}
        >
          {copy.attempts(attempts)}
        </CellButton>
      )}
      {nextAttemptAt === null || isInProgress ? null : (
        <Muted>
          {copy.nextAttempt} <Upcoming iso={nextAttemptAt} now={now} />
        </Muted>
      )}
    </>
  );
}

function RetryButton({ delivery, isBusy, onRetry }: DeliveryRowProps) {
  const { id, state, isRetryable } = delivery;
  if (!isRetryable) return null;
  const [label, labelOf] = state === 'delivered' ? [copy.replay, copy.replayOf] : [copy.retry, copy.retryOf];
  return (
    // aria-disabled keeps the focus on the button during its request.
    <CellButton
      variant="quiet"
      size="small"
      aria-label={labelOf(deliveryName(delivery))}
      aria-disabled={isBusy}
      onClick={() => (isBusy ? undefined : onRetry(id))}
    >
      {label}
    </CellButton>
  );
}

const Name = styled(Link)`
  display: inline-block;
  min-block-size: 1.5rem;
  color: ${token.primary};
  font-weight: 600;
  line-height: 1.5rem;
  text-decoration: none;

  &:hover {
    text-decoration: underline;
  }
`;

const Muted = styled.div`
  color: ${token.muted};
  font-size: 0.8125rem;
`;

/** Wide enough for a few words on a narrow screen: the table scrolls. */
const Cell = styled.td`
  min-inline-size: 8.5rem;
`;

const NoWrapCell = styled(Cell)`
  white-space: nowrap;
`;

/** A reason is a sentence. */
const Wide = styled.td`
  min-inline-size: 13rem;
  overflow-wrap: anywhere;
`;

const CellButton = styled(Button)`
  margin-inline-start: -0.5rem;
  padding-inline: 0.5rem;
  white-space: nowrap;
`;

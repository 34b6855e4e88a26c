import { styled } from 'styled-components';
import { Link } from 'wouter';
import { ActionButton } from '#client/admin/kit/ActionButton.tsx';
import { BreakAnywhere, Typed, typedLook } from '#client/admin/kit/BreakAnywhere.tsx';
import { Instant, Upcoming } from '#client/admin/kit/RelativeTime.tsx';
import { Muted } from '#client/admin/kit/layout.tsx';
import { media, token } from '#client/theme/tokens.ts';
import { Badge, type BadgeTone } from '#client/ui/Badge.tsx';
import { CircleAlert, CircleCheck, CirclePause, Clock, RefreshCw, X } from '#client/ui/Icon.tsx';
import type { AdminDelivery } from '#shared/admin/adminDeliveries.ts';
import { deliveryChannelNames, type DeliveryState } from '#shared/admin/deliveries.ts';
import { leadDetailCopy } from '#shared/admin/leadDetailCopy.ts';
import { testType } from '#shared/admin/webhooks.ts';
import { minuteMs } from '#shared/formats/time.ts';
import { deliveryListCopy as copy } from './copy.ts';

const looks: Record<DeliveryState, { tone: BadgeTone; Mark: typeof Clock }> = {
  queued: { tone: 'brand', Mark: Clock },
  delivered: { tone: 'success', Mark: CircleCheck },
  failed: { tone: 'danger', Mark: CircleAlert },
  held: { tone: 'warning', Mark: CirclePause },
  cancelled: { tone: 'neutral', Mark: X },
};

interface SubjectProps {
  delivery: AdminDelivery;
  buildLeadHref: (id: number) => string;
}

/** The lead with a link to its drawer. A webhook may be about a provider, a sync or a test instead. */
export function Subject({ delivery, buildLeadHref }: SubjectProps) {
  const { lead, event } = delivery;
  const name = subjectName(delivery);
  if (lead === null || lead.name === null)
    return (
      <>
        <Typed>{name}</Typed>
        {event === null ? null : <Muted as="div">{event.type}</Muted>}
      </>
    );
  return (
    <>
      <Name href={buildLeadHref(lead.id)} aria-label={copy.openLead(lead.name)}>
        {lead.name}
      </Name>{' '}
      {lead.isDeleted ? <Badge>{copy.deleted}</Badge> : null}
      <Muted as="div">{event === null ? leadDetailCopy.number(lead.id) : event.type}</Muted>
    </>
  );
}

export function Recipient({ delivery }: { delivery: AdminDelivery }) {
  const { channel, provider, endpoint, address } = delivery;
  return (
    <>
      {deliveryChannelNames[channel]}
      <Muted as="div">
        <Typed>
          {endpoint === null ? (provider?.name ?? copy.noProvider) : (endpoint.host ?? copy.removedEndpoint)}
        </Typed>
      </Muted>
      {address === null ? null : (
        <Muted as="div">
          <BreakAnywhere text={address} before="@" />
        </Muted>
      )}
    </>
  );
}

/** Each state has its own icon and word. */
export function DeliveryStateBadge({ state, isInProgress }: Pick<AdminDelivery, 'state' | 'isInProgress'>) {
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

/** When it arrived, if that was long after it was created, which has a column. */
export function DeliveredAt({ delivery: { state, createdAt, finishedAt } }: { delivery: AdminDelivery }) {
  if (state !== 'delivered' || finishedAt === null) return null;
  if (Date.parse(finishedAt) - Date.parse(createdAt) < minuteMs) return null;
  return (
    <Muted as="div">
      <Instant iso={finishedAt} />
    </Muted>
  );
}

/** Why it didn’t arrive: our sentence, and the receiver’s own. */
export function Why({ delivery: { reason, answerText } }: { delivery: AdminDelivery }) {
  if (reason === null) return null;
  return (
    <>
      <Muted as="div">{reason}</Muted>
      {answerText === null || reason.includes(answerText) ? null : (
        <Muted as="div">{copy.answer(answerText)}</Muted>
      )}
    </>
  );
}

interface AttemptsProps {
  delivery: AdminDelivery;
  now: number;
  onShow: () => void;
}

export function Attempts({ delivery, now, onShow }: AttemptsProps) {
  const { attempts, nextAttemptAt, isInProgress } = delivery;
  return (
    <>
      {attempts === 0 ? (
        copy.noAttempts
      ) : (
        <CellButton
          variant="quiet"
          aria-haspopup="dialog"
          aria-label={copy.attemptsOf(copy.attempts(attempts), deliveryName(delivery))}
          onClick={onShow}
        >
          {copy.attempts(attempts)}
        </CellButton>
      )}
      {nextAttemptAt === null || isInProgress ? null : (
        <Muted as="div">
          {copy.nextAttempt} <Upcoming iso={nextAttemptAt} now={now} />
        </Muted>
      )}
    </>
  );
}

interface RetryButtonProps {
  delivery: AdminDelivery;
  isBusy: boolean;
  onRetry: (id: string) => void;
}

export function RetryButton({ delivery, isBusy, onRetry }: RetryButtonProps) {
  const { id, state, isRetryable } = delivery;
  if (!isRetryable) return null;
  const [label, buildLabel] =
    state === 'delivered' ? [copy.replay, copy.replayOf] : [copy.retry, copy.retryOf];
  return (
    <CellButton
      variant="quiet"
      aria-label={buildLabel(deliveryName(delivery))}
      isBusy={isBusy}
      onClick={() => onRetry(id)}
    >
      {isBusy ? copy.retrying : label}
    </CellButton>
  );
}

const Name = styled(Link)`
  ${typedLook}
  display: inline-grid;
  align-content: center;
  min-block-size: 1.5rem;

  ${media.touch} {
    min-inline-size: 2.75rem;
    min-block-size: 2.75rem;
  }

  color: ${token.primary};
  font-weight: 600;
  text-decoration: none;

  &:hover {
    text-decoration: underline;
  }
`;

const CellButton = styled(ActionButton)`
  margin-inline-start: -0.5rem;
  padding-inline: 0.5rem;
  white-space: nowrap;
`;

type Named = Pick<AdminDelivery, 'channel' | 'lead' | 'provider' | 'event'>;

/** What a delivery is about: a lead, a provider, a sync or a test. */
function subjectName({ lead, provider, event }: Named): string {
  if (lead !== null) return lead.name ?? leadDetailCopy.number(lead.id);
  if (provider !== null) return provider.name;
  return event?.type === testType ? copy.endpointTest : copy.sync;
}

/** 'CRM, Ada Ashgrove', or 'lead.created, Ada Ashgrove' */
export function deliveryName(delivery: Named): string {
  return copy.what(delivery.event?.type ?? deliveryChannelNames[delivery.channel], subjectName(delivery));
}

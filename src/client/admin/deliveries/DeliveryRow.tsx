import { styled } from 'styled-components';
import { Link } from 'wouter';
import { RelativeTime, Upcoming } from '#client/admin/kit/RelativeTime.tsx';
import { RowCheckbox } from '#client/admin/kit/RowCheckbox.tsx';
import type { Selection } from '#client/admin/kit/useSelection.ts';
import { token } from '#client/theme/tokens.ts';
import { Badge } from '#client/ui/Badge.tsx';
import { Button } from '#client/ui/Button.tsx';
import type { AdminDelivery } from '#shared/admin/adminDeliveries.ts';
import { deliveryListCopy as copy } from '#client/admin/deliveries/copy.ts';
import { deliveryChannelNames, leadDetailCopy } from '#shared/admin/leadCopy.ts';
import { DeliveryStateBadge } from './DeliveryStateBadge.tsx';

interface DeliveryRowProps {
  delivery: AdminDelivery;
  now: number;
  /** Opens its lead. */
  href: string;
  /** Null for who may only look. */
  selection: Selection<string> | null;
  isBusy: boolean;
  onRetry: (id: string) => void;
}

/** One delivery: about whom, to whom, how far, since when, and the way to try it at once. */
export function DeliveryRow({ delivery, now, href, selection, isBusy, onRetry }: DeliveryRowProps) {
  const { id, lead, channel, provider, reason, requestedBy, createdAt } = delivery;
  const what = copy.what(deliveryChannelNames[channel], lead.name);
  const canRetry = selection !== null && delivery.isRetryable;
  return (
    <tr data-delivery={id} data-chosen={canRetry && selection.has(id) ? '' : undefined} aria-busy={isBusy}>
      {selection === null ? null : (
        <td>
          {canRetry ? (
            <RowCheckbox
              label={copy.select(what)}
              isChecked={selection.has(id)}
              onCheck={(isChecked) => selection.select(id, isChecked)}
            />
          ) : null}
        </td>
      )}
      <Cell as="th" scope="row">
        <Name href={href} aria-label={copy.openLead(lead.name)}>
          {lead.name}
        </Name>{' '}
        {lead.isDeleted ? <Badge>{copy.deleted}</Badge> : null}
        <Muted>{leadDetailCopy.number(lead.id)}</Muted>
      </Cell>
      <Cell>
        {deliveryChannelNames[channel]}
        <Muted>{provider?.name ?? copy.noProvider}</Muted>
      </Cell>
      <Wide>
        <DeliveryStateBadge state={delivery.state} isTried={delivery.isTried} />
        {reason === null ? null : <Muted>{reason}</Muted>}
      </Wide>
      <Cell>
        <Attempts delivery={delivery} now={now} />
      </Cell>
      <td>
        <RelativeTime iso={createdAt} now={now} />
      </td>
      <td>{requestedBy ?? copy.arrival}</td>
      {selection === null ? null : (
        <td>
          {canRetry ? (
            // aria-disabled keeps the focus on the button while its request is on the way.
            <TryNow
              variant="quiet"
              size="small"
              aria-label={copy.tryNowOf(what)}
              aria-disabled={isBusy}
              onClick={() => (isBusy ? undefined : onRetry(id))}
            >
              {copy.tryNow}
            </TryNow>
          ) : null}
        </td>
      )}
    </tr>
  );
}

function Attempts({
  delivery: { attempts, nextAttemptAt, isTried },
  now,
}: {
  delivery: AdminDelivery;
  now: number;
}) {
  return (
    <>
      {attempts === 0 ? copy.noAttempts : copy.attempts(attempts)}
      {nextAttemptAt === null || isTried ? null : (
        <Muted>
          {copy.nextAttempt} <Upcoming iso={nextAttemptAt} now={now} />
        </Muted>
      )}
    </>
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

/** No narrower than a few words, however narrow the screen: the table scrolls. */
const Cell = styled.td`
  min-inline-size: 8.5rem;
`;

/** A reason is a sentence. */
const Wide = styled.td`
  min-inline-size: 13rem;
  overflow-wrap: anywhere;
`;

const TryNow = styled(Button)`
  padding-inline: 0.5rem;
  white-space: nowrap;
`;

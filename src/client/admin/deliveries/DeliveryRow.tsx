import { styled } from 'styled-components';
import { Link } from 'wouter';
import { Moment, Upcoming } from '#client/admin/kit/RelativeTime.tsx';
import { Tick } from '#client/admin/kit/RowCheckbox.tsx';
import type { Selection } from '#client/admin/kit/useSelection.ts';
import { token } from '#client/theme/tokens.ts';
import { Badge } from '#client/ui/Badge.tsx';
import { Button } from '#client/ui/Button.tsx';
import type { AdminDelivery } from '#shared/admin/adminDeliveries.ts';
import { deliveryListWords as words } from '#client/admin/deliveries/copy.ts';
import { deliveryChannelNames, leadDetailWords } from '#shared/admin/leadCopy.ts';
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
  const what = words.what(deliveryChannelNames[channel], lead.name);
  const canRetry = selection !== null && delivery.isRetryable;
  return (
    <tr data-delivery={id} data-chosen={canRetry && selection.has(id) ? '' : undefined} aria-busy={isBusy}>
      {selection === null ? null : (
        <td>
          {canRetry ? (
            <Tick
              label={words.select(what)}
              isTicked={selection.has(id)}
              onTick={(isTicked) => selection.select(id, isTicked)}
            />
          ) : null}
        </td>
      )}
      <Cell as="th" scope="row">
        <Name href={href} aria-label={words.openLead(lead.name)}>
          {lead.name}
        </Name>{' '}
        {lead.isDeleted ? <Badge>{words.deleted}</Badge> : null}
        <Quiet>{leadDetailWords.number(lead.id)}</Quiet>
      </Cell>
      <Cell>
        {deliveryChannelNames[channel]}
        <Quiet>{provider?.name ?? words.noProvider}</Quiet>
      </Cell>
      <Wide>
        <DeliveryStateBadge state={delivery.state} isTried={delivery.isTried} />
        {reason === null ? null : <Quiet>{reason}</Quiet>}
      </Wide>
      <Cell>
        <Tries delivery={delivery} now={now} />
      </Cell>
      <td>
        <Moment iso={createdAt} now={now} />
      </td>
      <td>{requestedBy ?? words.arrival}</td>
      {selection === null ? null : (
        <td>
          {canRetry ? (
            // aria-disabled keeps the focus on the button while its request is on the way.
            <TryNow
              variant="quiet"
              size="small"
              aria-label={words.tryNowOf(what)}
              aria-disabled={isBusy}
              onClick={() => (isBusy ? undefined : onRetry(id))}
            >
              {words.tryNow}
            </TryNow>
          ) : null}
        </td>
      )}
    </tr>
  );
}

function Tries({ delivery: { tries, nextTryAt, isTried }, now }: { delivery: AdminDelivery; now: number }) {
  return (
    <>
      {tries === 0 ? words.noTries : words.tries(tries)}
      {nextTryAt === null || isTried ? null : (
        <Quiet>
          {words.nextTry} <Upcoming iso={nextTryAt} now={now} />
        </Quiet>
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

const Quiet = styled.div`
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

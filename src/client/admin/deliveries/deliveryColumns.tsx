import { styled } from 'styled-components';
import { Typed } from '#client/admin/kit/BreakAnywhere.tsx';
import type { Column } from '#client/admin/kit/DataTable.tsx';
import { RelativeTime } from '#client/admin/kit/RelativeTime.tsx';
import type { AdminDelivery } from '#shared/admin/adminDeliveries.ts';
import {
  Attempts,
  DeliveredAt,
  DeliveryStateBadge,
  Recipient,
  RetryButton,
  Subject,
  Why,
} from './DeliveryCells.tsx';
import { deliveryListCopy as copy } from './copy.ts';

const { columns: headers } = copy;

interface ColumnContext {
  now: number;
  buildLeadHref: (id: number) => string;
  busyIds: readonly string[];
  onShowAttempts: (delivery: AdminDelivery) => void;
  /** Null for viewers. */
  onRetry: ((id: string) => void) | null;
}

/** Whether it has a checkbox. A delivered one is replayed by its button only. */
export function isSelectable({ isRetryable, state }: AdminDelivery): boolean {
  return isRetryable && state !== 'delivered';
}

export function deliveryColumns(context: ColumnContext): Column<AdminDelivery>[] {
  const { now, buildLeadHref, busyIds, onShowAttempts, onRetry } = context;
  const columns: Column<AdminDelivery>[] = [
    {
      key: 'about',
      header: headers.about,
      isRowHeader: true,
      cell: (delivery) => <Subject delivery={delivery} buildLeadHref={buildLeadHref} />,
    },
    {
      key: 'to',
      header: headers.to,
      Cell: RecipientCell,
      cell: (delivery) => <Recipient delivery={delivery} />,
    },
    {
      key: 'state',
      header: headers.state,
      Cell: StateCell,
      cell: (delivery) => (
        <>
          <DeliveryStateBadge {...delivery} />
          <DeliveredAt delivery={delivery} />
          <Why delivery={delivery} />
        </>
      ),
    },
    {
      key: 'attempts',
      header: headers.attempts,
      Cell: AttemptsCell,
      cell: (delivery) => <Attempts delivery={delivery} now={now} onShow={() => onShowAttempts(delivery)} />,
    },
    {
      key: 'createdAt',
      header: headers.createdAt,
      cell: ({ createdAt }) => <RelativeTime iso={createdAt} now={now} />,
    },
    {
      key: 'requestedBy',
      header: headers.requestedBy,
      Cell: RequestedByCell,
      cell: ({ requestedBy, event }) => (
        <Typed>{requestedBy ?? (event === null ? copy.onArrival : copy.onEvent)}</Typed>
      ),
    },
  ];
  if (onRetry === null) return columns;
  return [
    ...columns,
    {
      key: 'actions',
      header: headers.actions,
      cell: (delivery) => (
        <RetryButton delivery={delivery} isBusy={busyIds.includes(delivery.id)} onRetry={onRetry} />
      ),
    },
  ];
}

/** Each is wide enough for a few words. */
const RecipientCell = styled.td`
  min-inline-size: 9rem;
`;

const AttemptsCell = styled.td`
  white-space: nowrap;
`;

/** A reason is a sentence, which must not take the width of the other columns. */
const StateCell = styled.td`
  inline-size: 12rem;
  min-inline-size: 9rem;
  overflow-wrap: anywhere;
`;

const RequestedByCell = styled.td`
  min-inline-size: 5.5rem;
`;

import type { Selection } from '#client/admin/kit/useSelection.ts';
import { RowCheckbox } from '#client/admin/kit/RowCheckbox.tsx';
import { Skeleton } from '#client/ui/Skeleton.tsx';
import { Table, TableFrame } from '#client/ui/Table.tsx';
import { VisuallyHidden } from '#client/ui/VisuallyHidden.tsx';
import type { AdminDelivery } from '#shared/admin/adminDeliveries.ts';
import { deliveryListCopy as copy } from './copy.ts';
import { DeliveryRow } from './DeliveryRow.tsx';

const skeletonRows = [1, 2, 3, 4, 5] as const;
const { columns } = copy;

interface DeliveryTableProps {
  /** Null while they load. */
  deliveries: readonly AdminDelivery[] | null;
  isRefreshing: boolean;
  now: number;
  hrefOfLead: (id: number) => string;
  /** Null for viewers. */
  selection: Selection<string> | null;
  /** Deliveries whose retry was requested. */
  busyIds: readonly string[];
  onShowAttempts: (delivery: AdminDelivery) => void;
  onRetry: (id: string) => void;
}

/** A page of deliveries, or five skeleton rows. */
export function DeliveryTable(props: DeliveryTableProps) {
  const { deliveries, isRefreshing, selection, busyIds, ...row } = props;
  return (
    <TableFrame label={copy.caption} isBusy={deliveries === null || isRefreshing}>
      <Table>
        <caption>
          <VisuallyHidden>{deliveries === null ? copy.loading : copy.caption}</VisuallyHidden>
        </caption>
        <Head {...props} />
        <tbody>
          {deliveries === null
            ? skeletonRows.map((key) => <SkeletonRow key={key} cells={selection === null ? 6 : 8} />)
            : deliveries.map((delivery) => (
                <DeliveryRow
                  key={delivery.id}
                  delivery={delivery}
                  selection={selection}
                  isBusy={busyIds.includes(delivery.id)}
                  {...row}
                />
              ))}
        </tbody>
      </Table>
    </TableFrame>
  );
}

function Head({ deliveries, selection }: DeliveryTableProps) {
  return (
    <thead>
      <tr>
        {selection === null ? null : (
          <th scope="col">
            <RowCheckbox
              label={copy.selectAll}
              isChecked={selection.isAll}
              isPartly={selection.ids.length > 0 && !selection.isAll}
              isDisabled={deliveries === null}
              onCheck={selection.selectAll}
            />
          </th>
        )}
        <th scope="col">{columns.about}</th>
        <th scope="col">{columns.to}</th>
        <th scope="col">{columns.state}</th>
        <th scope="col">{columns.attempts}</th>
        <th scope="col">{columns.createdAt}</th>
        <th scope="col">{columns.requestedBy}</th>
        {selection === null ? null : <th scope="col">{columns.actions}</th>}
      </tr>
    </thead>
  );
}

function SkeletonRow({ cells }: { cells: number }) {
  return (
    <tr data-skeleton="">
      {Array.from({ length: cells }, (_, index) => (
        <td key={index}>
          <Skeleton $width="80%" />
        </td>
      ))}
    </tr>
  );
}

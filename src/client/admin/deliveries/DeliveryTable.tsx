import type { Selection } from '#client/admin/kit/useSelection.ts';
import { RowCheckbox } from '#client/admin/kit/RowCheckbox.tsx';
import { Skeleton } from '#client/ui/Skeleton.tsx';
import { Table, TableFrame } from '#client/ui/Table.tsx';
import { VisuallyHidden } from '#client/ui/VisuallyHidden.tsx';
import type { AdminDelivery } from '#shared/admin/adminDeliveries.ts';
import { deliveryListCopy as copy } from '#client/admin/deliveries/copy.ts';
import { DeliveryRow } from './DeliveryRow.tsx';

const skeletonRows = [1, 2, 3, 4, 5] as const;
const { columns } = copy;

interface DeliveryTableProps {
  /** Null: they are on their way. */
  deliveries: readonly AdminDelivery[] | null;
  isRefreshing: boolean;
  now: number;
  hrefOfLead: (id: number) => string;
  /** Of those that can be retried; null for who may only look. */
  selection: Selection<string> | null;
  /** Those that are about to be queued. */
  busyIds: readonly string[];
  onRetry: (id: string) => void;
}

/** The page of deliveries, or the place of five of them. */
export function DeliveryTable(props: DeliveryTableProps) {
  const { deliveries, isRefreshing, now, hrefOfLead, selection, busyIds, onRetry } = props;
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
                  now={now}
                  href={hrefOfLead(delivery.lead.id)}
                  selection={selection}
                  isBusy={busyIds.includes(delivery.id)}
                  onRetry={onRetry}
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
        <th scope="col">{columns.lead}</th>
        <th scope="col">{columns.to}</th>
        <th scope="col">{columns.state}</th>
        <th scope="col">{columns.attempts}</th>
        <th scope="col">{columns.at}</th>
        <th scope="col">{columns.by}</th>
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

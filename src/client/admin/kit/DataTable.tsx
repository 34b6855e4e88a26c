import { type ElementType, memo, type MouseEvent, type ReactNode } from 'react';
import { styled } from 'styled-components';
import { media, token } from '#client/theme/tokens.ts';
import { ArrowDown, ArrowUp } from '#client/ui/Icon.tsx';
import { Skeleton } from '#client/ui/Skeleton.tsx';
import { Table, TableFrame } from '#client/ui/Table.tsx';
import { VisuallyHidden } from '#client/ui/Section.tsx';
import { listCopy } from './copy.ts';
import type { Selection } from './listHooks.ts';
import { RowCheckbox } from './RowCheckbox.tsx';

const skeletonRows = [1, 2, 3, 4, 5] as const;

interface TableRow {
  id: string | number;
}

export interface Column<Row, Sort extends string = never> {
  /** Also the `data-cell` of its cells. */
  key: string;
  header: string;
  /** Only screen readers get the header. */
  isHeaderHidden?: boolean;
  /** Of a busy row, a change is pending. */
  cell: (row: Row, isBusy: boolean) => ReactNode;
  /** Its cell names the row. */
  isRowHeader?: boolean;
  align?: 'end';
  /** Its cells can get the focus after a button disappears. */
  isFocusTarget?: boolean;
  /** The order of the first press, and of the next one. A leading `-` is descending. */
  sort?: readonly [first: Sort, second: Sort];
  /** A styled `td`, or a styled `th` for a row header. */
  Cell?: ElementType;
}

interface SelectionColumn<Row extends TableRow> {
  state: Selection<Row['id']>;
  allLabel: string;
  buildLabel: (row: Row) => string;
  /** Rows without a checkbox; left out, every row has one. */
  isSelectable?: (row: Row) => boolean;
}

type RowAttributes = Record<`data-${string}`, string | number>;

interface DataTableProps<Row extends TableRow, Sort extends string> {
  caption: string;
  isCaptionVisible?: boolean;
  /** Announced while the rows load. */
  loading?: string;
  /** The cells are rendered again when these are others: large tables keep them. */
  columns: readonly Column<Row, Sort>[];
  /** Null while they load. */
  rows: readonly Row[] | null;
  getAttributes?: (row: Row) => RowAttributes;
  /** Rows whose change is pending. */
  busyIds?: readonly Row['id'][];
  isBusy?: boolean;
  /** Replaces the table if there are no rows. */
  empty?: ReactNode;
  sort?: Sort;
  onSort?: (sort: Sort) => void;
  /** Null if staff may only read. */
  selection?: SelectionColumn<Row> | null;
  /** A styled `Table`. */
  as?: ElementType;
  /** A press on a row between its links and controls presses this part of the row. */
  rowTarget?: string;
}

/** A page of a list: its header and rows, five skeleton rows while they load, or the empty state. */
export function DataTable<Row extends TableRow, Sort extends string = never>(
  props: DataTableProps<Row, Sort>,
) {
  const { caption, isCaptionVisible = false, loading = caption, rows, isBusy = false, as = Table } = props;
  if (rows?.length === 0 && props.empty !== undefined) return props.empty;
  const Look = as;
  const title = rows === null ? loading : caption;
  return (
    <TableFrame label={caption} isBusy={rows === null || isBusy}>
      <Look>
        <caption>{isCaptionVisible ? title : <VisuallyHidden>{title}</VisuallyHidden>}</caption>
        <thead>
          <HeadRow table={props} />
        </thead>
        <tbody>
          {rows === null
            ? skeletonRows.map((row) => <SkeletonRow key={row} table={props} />)
            : rows.map((row) => <BodyRow key={row.id} row={row} table={props} />)}
        </tbody>
      </Look>
    </TableFrame>
  );
}

interface PartProps<Row extends TableRow, Sort extends string> {
  table: DataTableProps<Row, Sort>;
}

function HeadRow<Row extends TableRow, Sort extends string>({ table }: PartProps<Row, Sort>) {
  const { columns, rows, selection = null, sort, onSort } = table;
  return (
    <tr>
      {selection === null ? null : (
        <th scope="col">
          <RowCheckbox
            label={selection.allLabel}
            isChecked={selection.state.isAll}
            isPartly={selection.state.ids.length > 0 && !selection.state.isAll}
            isDisabled={rows === null}
            onCheck={selection.state.selectAll}
          />
        </th>
      )}
      {columns.map((column) => (
        <th
          key={column.key}
          scope="col"
          data-column={column.key}
          data-align={column.align}
          aria-sort={column.sort === undefined ? undefined : getOrder(column.sort, sort)}
        >
          {column.sort === undefined ? (
            column.isHeaderHidden === true ? (
              <VisuallyHidden>{column.header}</VisuallyHidden>
            ) : (
              column.header
            )
          ) : (
            <SortButton header={column.header} orders={column.sort} sort={sort} onSort={onSort} />
          )}
        </th>
      ))}
    </tr>
  );
}

function getOrder<Sort extends string>(
  orders: readonly [Sort, Sort],
  sort: Sort | undefined,
): 'ascending' | 'descending' | undefined {
  if (sort === undefined || !orders.includes(sort)) return undefined;
  return sort.startsWith('-') ? 'descending' : 'ascending';
}

interface SortButtonProps<Sort extends string> {
  header: string;
  orders: readonly [Sort, Sort];
  sort: Sort | undefined;
  onSort: ((sort: Sort) => void) | undefined;
}

function SortButton<Sort extends string>({ header, orders, sort, onSort }: SortButtonProps<Sort>) {
  const order = getOrder(orders, sort);
  const [first, second] = orders;
  return (
    <HeadButton
      type="button"
      title={listCopy.sortBy(header)}
      onClick={() => onSort?.(sort === first ? second : first)}
    >
      {header}
      {order === undefined ? null : order === 'ascending' ? <ArrowUp /> : <ArrowDown />}
    </HeadButton>
  );
}

function BodyRow<Row extends TableRow, Sort extends string>({
  row,
  table,
}: PartProps<Row, Sort> & { row: Row }) {
  const { columns, selection = null, busyIds, getAttributes, rowTarget } = table;
  const canSelect = selection !== null && (selection.isSelectable?.(row) ?? true);
  const isSelected = canSelect && selection.state.has(row.id);
  const isBusy = busyIds?.includes(row.id);
  return (
    <tr
      data-chosen={isSelected ? '' : undefined}
      data-opens={rowTarget === undefined ? undefined : ''}
      {...getAttributes?.(row)}
      aria-busy={isBusy}
      onClick={rowTarget === undefined ? undefined : (event) => pressTarget(event, rowTarget)}
    >
      {selection === null ? null : (
        <td>
          {canSelect ? (
            <RowCheckbox
              label={selection.buildLabel(row)}
              isChecked={isSelected}
              onCheck={(isChecked) => selection.state.select(row.id, isChecked)}
            />
          ) : null}
        </td>
      )}
      <Cells row={row} columns={columns} isBusy={isBusy === true} />
    </tr>
  );
}

interface CellsProps<Row extends TableRow, Sort extends string> {
  row: Row;
  columns: readonly Column<Row, Sort>[];
  isBusy: boolean;
}

/** Rendered again only if these changed: the cells of forty rows have lists and menus. */
const Cells = memo(renderCells) as typeof renderCells;

function renderCells<Row extends TableRow, Sort extends string>({
  row,
  columns,
  isBusy,
}: CellsProps<Row, Sort>) {
  const cells = columns.map(({ key, cell, isRowHeader = false, align, isFocusTarget = false, Cell }) => {
    const Element = Cell ?? (isRowHeader ? 'th' : 'td');
    return (
      <Element
        key={key}
        scope={isRowHeader ? 'row' : undefined}
        data-cell={key}
        data-align={align}
        tabIndex={isFocusTarget ? -1 : undefined}
      >
        {cell(row, isBusy)}
      </Element>
    );
  });
  return <>{cells}</>;
}

const pressable = 'a, button, input, label, select, [role=option], [role=menuitem]';

/** Not after the end of a selection of text, nor for a press in a list that is shown elsewhere. */
function pressTarget({ target, currentTarget: row }: MouseEvent<HTMLElement>, selector: string): void {
  const isOwn = target instanceof Element && row.contains(target) && target.closest(pressable) === null;
  const link = row.querySelector<HTMLElement>(selector);
  if (!isOwn || link === null || getSelection()?.isCollapsed === false) return;
  // The drawer returns the focus to it.
  link.focus({ preventScroll: true });
  link.click();
}

function SkeletonRow<Row extends TableRow, Sort extends string>({ table }: PartProps<Row, Sort>) {
  const { columns, selection = null } = table;
  return (
    <tr data-skeleton="">
      {selection === null ? null : (
        <td>
          <Skeleton $width="1.5rem" />
        </td>
      )}
      {columns.map(({ key }) => (
        <td key={key} data-cell={key}>
          <Skeleton $width="80%" />
        </td>
      ))}
    </tr>
  );
}

const HeadButton = styled.button`
  display: inline-flex;
  align-items: center;
  gap: 0.25rem;
  min-block-size: 1.75rem;

  ${media.touch} {
    min-inline-size: 2.75rem;
    min-block-size: 2.75rem;
  }

  padding: 0;
  border: 0;
  background: none;
  color: inherit;
  cursor: pointer;

  &:hover {
    color: ${token.primary};
    text-decoration: underline;
  }

  & > svg {
    inline-size: 0.875rem;
  }
`;

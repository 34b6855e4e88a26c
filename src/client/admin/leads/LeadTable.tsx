import { styled } from 'styled-components';
import { token } from '#client/theme/tokens.ts';
import { ArrowDown, ArrowUp } from '#client/ui/Icon.tsx';
import { Skeleton } from '#client/ui/Skeleton.tsx';
import { Table, TableFrame } from '#client/ui/Table.tsx';
import { VisuallyHidden } from '#client/ui/VisuallyHidden.tsx';
import type { AdminLead, LeadSort } from '#shared/admin/adminLeads.ts';
import { leadCopy } from '#shared/admin/leadCopy.ts';
import { type LeadActions, LeadRow } from './LeadRow.tsx';
import type { Selection } from '../kit/useSelection.ts';
import { RowCheckbox } from '../kit/RowCheckbox.tsx';

const skeletonRows = [1, 2, 3, 4, 5] as const;
const { columns } = leadCopy;

interface LeadTableProps {
  /** Null: they are on their way. */
  leads: readonly AdminLead[] | null;
  isRefreshing: boolean;
  now: number;
  hrefOf: (id: number) => string;
  sort: LeadSort;
  onSort: (sort: LeadSort) => void;
  selection: Selection;
  /** Null for who may only look. */
  actions: LeadActions | null;
}

/** The page of leads, or the place of five of them. */
export function LeadTable(props: LeadTableProps) {
  const { leads, isRefreshing, now, hrefOf, selection, actions } = props;
  const canChange = actions !== null;
  return (
    <TableFrame label={leadCopy.caption} isBusy={leads === null || isRefreshing}>
      <Table>
        <caption>
          <VisuallyHidden>{leads === null ? leadCopy.loading : leadCopy.caption}</VisuallyHidden>
        </caption>
        <Head {...props} />
        <tbody>
          {leads === null
            ? skeletonRows.map((row) => <SkeletonRow key={row} cells={canChange ? 7 : 5} />)
            : leads.map((lead) => (
                <LeadRow
                  key={lead.id}
                  lead={lead}
                  href={hrefOf(lead.id)}
                  now={now}
                  isSelected={selection.has(lead.id)}
                  onSelect={(isSelected) => selection.select(lead.id, isSelected)}
                  actions={actions}
                />
              ))}
        </tbody>
      </Table>
    </TableFrame>
  );
}

function Head({ leads, sort, onSort, selection, actions }: LeadTableProps) {
  const canChange = actions !== null;
  return (
    <thead>
      <tr>
        {canChange ? (
          <th scope="col">
            <RowCheckbox
              label={leadCopy.selectAll}
              isChecked={selection.isAll}
              isPartly={selection.ids.length > 0 && !selection.isAll}
              isDisabled={leads === null}
              onCheck={selection.selectAll}
            />
          </th>
        ) : null}
        <SortHead label={columns.contact} field="last_name" first="last_name" {...{ sort, onSort }} />
        <SortHead label={columns.zip} field="zip_code" first="zip_code" {...{ sort, onSort }} />
        <th scope="col">{columns.provider}</th>
        <SortHead label={columns.date} field="created_at" first="-created_at" {...{ sort, onSort }} />
        <th scope="col">{columns.crm}</th>
        {canChange ? <th scope="col">{columns.actions}</th> : null}
      </tr>
    </thead>
  );
}

type SortField = 'created_at' | 'last_name' | 'zip_code';

interface SortHeadProps {
  label: string;
  field: SortField;
  /** What the first press orders by; the next turns it round. */
  first: LeadSort;
  sort: LeadSort;
  onSort: (sort: LeadSort) => void;
}

function SortHead({ label, field, first, sort, onSort }: SortHeadProps) {
  const down: LeadSort = `-${field}`;
  const order = sort === field ? 'ascending' : sort === down ? 'descending' : undefined;
  const turned = sort === field ? down : field;
  return (
    <th scope="col" aria-sort={order}>
      <SortButton
        type="button"
        title={leadCopy.sortBy(label)}
        onClick={() => onSort(order === undefined ? first : turned)}
      >
        {label}
        {order === undefined ? null : order === 'ascending' ? <ArrowUp /> : <ArrowDown />}
      </SortButton>
    </th>
  );
}

function SkeletonRow({ cells }: { cells: number }) {
  return (
    <tr data-skeleton="">
      {Array.from({ length: cells }, (_, index) => (
        <td key={index}>
          <Skeleton $width={index === 0 ? '1.5rem' : '80%'} />
        </td>
      ))}
    </tr>
  );
}

const SortButton = styled.button`
  display: inline-flex;
  align-items: center;
  gap: 0.25rem;
  min-block-size: 1.75rem;
  padding: 0;
  border: 0;
  background: none;
  color: inherit;
  font: inherit;
  cursor: pointer;

  &:hover {
    color: ${token.primary};
    text-decoration: underline;
  }

  & > svg {
    inline-size: 0.875rem;
  }
`;

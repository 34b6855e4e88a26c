import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { type Column, DataTable } from '#client/admin/kit/DataTable.tsx';
import { media, token } from '#client/theme/tokens.ts';
import { Table } from '#client/ui/Table.tsx';
import { insightCopy } from '#client/admin/insights/copy.ts';
import { TwoColumns } from '../CardSkeleton.tsx';

interface FigureColumn {
  key: string;
  label: string;
}

export interface FigureRow {
  id: string;
  head: string;
  /** By key of the column. */
  cells: Readonly<Record<string, ReactNode>>;
}

interface FigureSplitProps {
  title: string;
  /** The header of the rows' names. */
  head: string;
  columns: readonly FigureColumn[];
  rows: readonly FigureRow[];
  /** Numbers are aligned at the end. */
  areNumbers?: boolean;
  /** The chart. */
  children: ReactNode;
}

/** A chart, and its numbers beside or below it in a table that scrolls. */
export function FigureSplit({ title, head, columns, rows, areNumbers = true, children }: FigureSplitProps) {
  const label = insightCopy.tableOf(title);
  const isWide = columns.length > sideColumnsMax;
  const Layout = isWide ? OneColumn : TwoColumns;
  const Place = isWide ? Below : Side;
  return (
    <Layout>
      {children}
      <Place>
        <DataTable
          caption={label}
          columns={[
            { key: 'head', header: head, isRowHeader: true, cell: (row) => row.head },
            ...columns.map(({ key, label: header }): Column<FigureRow> => ({
              key,
              header,
              cell: (row) => row.cells[key],
              ...(areNumbers ? { align: 'end' } : {}),
            })),
          ]}
          rows={rows}
          as={Figures}
        />
      </Place>
    </Layout>
  );
}

/** A table with more columns than these, besides its first, is below its chart. */
const sideColumnsMax = 3;

const Below = styled.div`
  & > section {
    max-block-size: 17rem;
  }
`;

const Side = styled(Below)`
  ${media.desktop} {
    /* As high as the chart, for any number of rows. */
    position: relative;

    & > section {
      position: absolute;
      inset: 0;
      block-size: fit-content;
      max-block-size: 100%;
    }
  }
`;

/** A table of figures. */
export const Figures = styled(Table)`
  font-size: 0.875rem;

  & th,
  & td {
    padding: 0.375rem 0.75rem;
  }

  & th:first-child {
    white-space: nowrap;
  }

  /* A site's name has two lines rather than a wide column. */
  & thead th:not(:first-child) {
    min-inline-size: 5rem;
    white-space: normal;
  }

  & tbody th {
    color: ${token.foreground};
  }

  & tbody td,
  & tbody th {
    block-size: 2.25rem;
  }
`;

import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { insightCopy } from '#client/admin/insights/copy.ts';
import { type Column, DataTable } from '#client/admin/kit/DataTable.tsx';
import { media, token } from '#client/theme/tokens.ts';
import { Table } from '#client/ui/Table.tsx';
import { TwoColumns } from '../CardSkeleton.tsx';
import { fullDay } from '../insightDays.ts';

interface FigureSplitProps<Row extends { id: string }> {
  title: string;
  /** The first one names the rows. */
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** The chart. */
  children: ReactNode;
}

/** A chart, and its numbers beside or below it in a table that scrolls. */
export function FigureSplit<Row extends { id: string }>({
  title,
  columns,
  rows,
  children,
}: FigureSplitProps<Row>) {
  const isWide = columns.length > sideColumnsMax;
  const Layout = isWide ? OneColumn : TwoColumns;
  const Place = isWide ? Below : Side;
  return (
    <Layout>
      {children}
      <Place>
        <DataTable caption={insightCopy.tableOf(title)} columns={columns} rows={rows} as={Figures} />
      </Place>
    </Layout>
  );
}

interface DayFiguresProps<Day> {
  title: string;
  days: readonly Day[];
  columns: readonly Column<Day & { id: string }>[];
  children: ReactNode;
}

/** A chart of days, and the numbers of each day, the newest first. */
export function DayFigures<Day extends { day: string }>({
  title,
  days,
  columns,
  children,
}: DayFiguresProps<Day>) {
  return (
    <FigureSplit
      title={title}
      columns={[
        { key: 'head', header: insightCopy.day, isRowHeader: true, cell: ({ day }) => fullDay(day) },
        ...columns,
      ]}
      rows={days.map((day) => ({ ...day, id: day.day })).toReversed()}
    >
      {children}
    </FigureSplit>
  );
}

/** A column of numbers, or of texts such as times. */
export function figureColumn<Row extends object>(
  key: string,
  header: string,
  getFigure: (row: Row) => number | string,
): Column<Row & { id: string | number }> {
  return { key, header, align: 'end', cell: (row) => getFigure(row).toLocaleString('en-US') };
}

/** A table with more columns than these is below its chart. */
const sideColumnsMax = 4;

const OneColumn = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 1.25rem;
`;

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

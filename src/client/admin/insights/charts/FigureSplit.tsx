import type { ReactNode } from 'react';
import { css, styled } from 'styled-components';
import { insightCopy } from '#client/admin/insights/copy.ts';
import { type Column, DataTable } from '#client/admin/kit/DataTable.tsx';
import { Stack } from '#client/admin/kit/layout.tsx';
import { token } from '#client/theme/tokens.ts';
import { hiddenLook } from '#client/ui/Section.tsx';
import { gridRows, Table } from '#client/ui/Table.tsx';
import { ShowData } from '../ShowData.tsx';
import { fullDay } from '../insightDays.ts';

interface FigureSplitProps<Row extends { id: string }> {
  title: string;
  /** The first one names the rows. */
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** The chart. */
  children: ReactNode;
}

/** A chart, and its numbers below it in a folded table. */
export function FigureSplit<Row extends { id: string }>({
  title,
  columns,
  rows,
  children,
}: FigureSplitProps<Row>) {
  return (
    <Stack $gap="0.75rem">
      {children}
      <ShowData title={title}>
        <DataTable caption={insightCopy.tableOf(title)} columns={columns} rows={rows} as={Figures} />
      </ShowData>
    </Stack>
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

/** A row's name has a line of its own above its figures, which have their headers' places. */
const narrow = css`
  ${gridRows}

  & tr {
    grid-template-columns: repeat(auto-fill, minmax(4.5rem, 1fr));
  }

  & thead th:first-child {
    ${hiddenLook}
  }

  & thead th:not(:first-child) {
    position: static;
    align-content: end;
    min-inline-size: 0;
  }

  & th,
  & td {
    padding-inline: 0.375rem;
  }

  & tbody :is(th, td) {
    block-size: auto;
  }

  & tbody th {
    grid-column: 1 / -1;
    padding-block-end: 0;
    border-block-end: 0;
    font-weight: 600;
  }
`;

export const Figures = styled(Table)`
  font-size: 0.875rem;

  & th,
  & td {
    padding: 0.375rem 0.75rem;
  }

  & thead th:first-child {
    white-space: nowrap;
  }

  /* A site's name has two lines rather than a wide column. */
  & thead th:not(:first-child) {
    min-inline-size: 5rem;
    white-space: normal;
  }

  /* A day fits on one line; a long name breaks instead of widening the table. */
  & tbody th {
    min-inline-size: 8rem;
    color: ${token.foreground};
    overflow-wrap: anywhere;
  }

  & tbody td,
  & tbody th {
    block-size: 2.25rem;
  }

  @container (width < 28rem) {
    ${narrow}
  }

  @container (width < 60rem) {
    &:has(thead th:nth-child(7)) {
      ${narrow}
    }
  }
`;

import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { media, token } from '#client/theme/tokens.ts';
import { Table, TableFrame } from '#client/ui/Table.tsx';
import { VisuallyHidden } from '#client/ui/VisuallyHidden.tsx';
import { insightCopy } from '#client/admin/insights/copy.ts';
import { TwoColumns } from '../TwoColumns.tsx';

export interface FigureColumn {
  key: string;
  label: string;
}

export interface FigureRow {
  key: string;
  head: string;
  /** By the column's key. */
  cells: Readonly<Record<string, ReactNode>>;
}

interface FigureSplitProps {
  title: string;
  /** Over the rows' own heads. */
  head: string;
  columns: readonly FigureColumn[];
  rows: readonly FigureRow[];
  /** Cells are numbers, one under the other. */
  areNumbers?: boolean;
  /** The chart. */
  children: ReactNode;
}

/** A chart and, beside it or beneath it, its numbers in a table that scrolls in itself. */
export function FigureSplit({ title, head, columns, rows, areNumbers = true, children }: FigureSplitProps) {
  const label = insightCopy.tableOf(title);
  return (
    <TwoColumns>
      {children}
      <Side>
        <TableFrame label={label}>
          <Figures $areNumbers={areNumbers}>
            <caption>
              <VisuallyHidden>{label}</VisuallyHidden>
            </caption>
            <thead>
              <tr>
                <th scope="col">{head}</th>
                {columns.map(({ key, label: name }) => (
                  <th key={key} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.key}>
                  <th scope="row">{row.head}</th>
                  {columns.map(({ key }) => (
                    <td key={key}>{row.cells[key]}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </Figures>
        </TableFrame>
      </Side>
    </TwoColumns>
  );
}

const Side = styled.div`
  & > section {
    max-block-size: 17rem;
  }

  ${media.desktop} {
    /* As high as the chart, whatever the table has in it. */
    position: relative;

    & > section {
      position: absolute;
      inset: 0;
      block-size: fit-content;
      max-block-size: 100%;
    }
  }
`;

const Figures = styled(Table)<{ $areNumbers: boolean }>`
  font-size: 0.875rem;

  & th,
  & td {
    padding: 0.375rem 0.75rem;
    ${({ $areNumbers }) => ($areNumbers ? 'text-align: end;' : '')}
  }

  & th:first-child {
    text-align: start;
    white-space: nowrap;
  }

  & tbody th {
    color: ${token.foreground};
  }

  & tbody td,
  & tbody th {
    block-size: 2.25rem;
  }
`;

import { positiveNumber } from '../fieldValues.ts';
import { sourceMessages as words } from '#server/features/sync/messages.ts';
import { type CsvColumns, countKnownNames, readHeader } from './csvColumns.ts';
import { type CsvRow, csvRows } from './csvRows.ts';
import { SourceError, UnreadableRow } from '../source.ts';
import type { TextLine } from './textLines.ts';

/** The id of a row that can't be read, if what stands before it are numbers: then no cell before it is cut. */
function readableId({ fields }: CsvColumns, cells: readonly string[]): number | null {
  const before = cells.slice(0, fields.indexOf('wordpress_id') + 1);
  return before.every((cell) => positiveNumber(cell) !== null) ? positiveNumber(before.at(-1)) : null;
}

/** Whether there is one cell for each column. Spreadsheets fill rows with empty cells. */
function fits({ fields }: CsvColumns, cells: readonly string[]): boolean {
  return cells.length >= fields.length && cells.slice(fields.length).every((cell) => cell === '');
}

function toRecord(columns: CsvColumns, { line, cells, isBroken }: CsvRow, replace: boolean): object {
  const { fields } = columns;
  if (isBroken || !fits(columns, cells)) {
    const reason = isBroken ? words.quote(line) : words.cellCount(line, cells.length, fields.length);
    return new UnreadableRow(reason, readableId(columns, cells));
  }
  const given = fields.flatMap((field, at) => (field === null ? [] : [[field, cells[at] ?? '']]));
  const emptied = replace ? columns.absent.map((column) => [column, '']) : [];
  return Object.fromEntries([...emptied, ...given]);
}

/**
 * The records of a CSV file with the fields' own names. A row that can't be read costs only itself. Throws SourceError
 * for a header that can't be used.
 */
export async function* csvRecords(
  lines: AsyncIterable<TextLine>,
  {
    ignoreUnknown,
    replace,
    onHeader,
  }: { ignoreUnknown: boolean; replace: boolean; onHeader: (columns: CsvColumns) => void },
): AsyncGenerator<object> {
  let columns: CsvColumns | null = null;
  const isRow = (cells: string[]): boolean =>
    columns !== null &&
    fits(columns, cells) &&
    positiveNumber(cells[columns.fields.indexOf('wordpress_id')]) !== null;
  for await (const row of csvRows(lines, { countKnown: countKnownNames, isRow })) {
    if (columns !== null) yield toRecord(columns, row, replace);
    else {
      if (row.isBroken) throw new SourceError(words.quote(row.line));
      columns = readHeader(row.cells, ignoreUnknown);
      onHeader(columns);
    }
  }
  if (columns === null) throw new SourceError(words.noHeader);
}

import { setImmediate } from 'node:timers/promises';
import { type SQL, sql, type SQLWrapper } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import { guardFormulas } from '#shared/formats/text.ts';
import type { Database } from '../../db/connect.ts';

export type CsvValue = string | number | boolean | null;

/** Without it, spreadsheets do not read the file as UTF-8. */
export const byteOrderMark = '\ufeff';
const lineEnd = '\r\n';

const mayContainFormula = /[=+\-@＝＋－＠\t\r\n]/;
const needsQuotes = /[",\r\n]/;
/** Matches every cell that quotes or an apostrophe would change. One test per cell keeps large files fast. */
const mayChange = /^'*[=+\-@＝＋－＠]|[",;\t\r\n]/;
/** A formula of these characters only computes a number. The apostrophe would be part of the number that staff call. */
const internationalPhone = /^\+[ ().-]*\d[\d ().-]*$/;

type CellKind = 'text' | 'value' | 'instant' | 'phone';

function cell(value: CsvValue, kind: CellKind = 'text'): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  if (!mayChange.test(value)) return value;
  if (kind === 'phone' && internationalPhone.test(value)) return value;
  const text = mayContainFormula.test(value) ? guardFormulas(value) : value;
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** One record by RFC 4180, with its line end. Formulas get an apostrophe; cells without a kind are texts. */
export function csvLine(values: readonly CsvValue[], kinds: readonly CellKind[] = []): string {
  let line = cell(values[0] ?? null, kinds[0]);
  for (let index = 1; index < values.length; index += 1)
    line += `,${cell(values[index] ?? null, kinds[index])}`;
  return line + lineEnd;
}

const batchSize = 1000;
const dialect = new PgDialect();
/** Drizzle has turned dates into text. */
const queryParameters = z.array(z.union([z.string(), z.number(), z.boolean()]));
/** Between the cells of a row as Postgres sends it: the ASCII unit separator. */
const separatorCode = 31;
const separator = String.fromCharCode(separatorCode);

/** A file's columns by name: each one's kind and its SQL expression. A value never contains a separator. */
export type CsvColumns = Readonly<Record<string, readonly [CellKind, SQLWrapper]>>;

/** Each row as one text: the driver reads and allocates one value for it instead of one for each cell. */
function rowTexts(columns: CsvColumns, from: SQL): SQL {
  const selected = Object.entries(columns).map(
    ([name, [kind, value]]) =>
      sql`${value}${kind === 'instant' ? sql` at time zone 'UTC'` : sql``} as ${sql.identifier(name)}`,
  );
  const cells = Object.entries(columns).map(([name, [kind]]) => {
    const column = sql`${sql.identifier(name)}::text`;
    return sql`coalesce(${kind === 'text' || kind === 'phone' ? sql`replace(${column}, chr(${separatorCode}::int), ' ')` : column}, '')`;
  });
  const query = sql`select ${sql.join(selected, sql`, `)} ${from}`;
  // Not concat_ws, which takes a fifth more of Postgres' time.
  return sql`select ${sql.join(cells, sql` || chr(${separatorCode}::int) || `)} from (${query}) as listed`;
}

interface CsvQuery {
  columns: CsvColumns;
  from: SQL;
  onRows?: ((rows: number) => void) | undefined;
}

/**
 * All rows of a query as CSV, from one snapshot. Reads only as fast as the client: memory contains two batches at most.
 * `from` is the query from the word `from`. `onRows` gets the number of records of each batch that was taken.
 */
export async function* queryCsv(
  db: Database,
  { columns, from, onRows = () => undefined }: CsvQuery,
): AsyncGenerator<string, void> {
  const { sql: text, params } = dialect.sqlToQuery(rowTexts(columns, from));
  const kinds = Object.values(columns).map(([kind]) => kind);
  const instants = kinds.flatMap((kind, at) => (kind === 'instant' ? [at] : []));
  const statement = db.$client.unsafe<Record<string, string>[]>(text, queryParameters.parse(params)).values();
  const rows = statement.cursor(batchSize)[Symbol.asyncIterator]();
  // Fetches the next batch while this one is written and sent.
  const fetchNext = (): Promise<IteratorResult<string[][], unknown>> => {
    const fetched = Promise.resolve(rows.next());
    // It may fail while the previous batch is being sent. The error is thrown when the batch is awaited.
    fetched.catch(() => undefined);
    return fetched;
  };
  let next = fetchNext();
  try {
    let batch = await next;
    // Only after the first rows, so that an earlier failure is an ordinary error. One without rows counts too.
    onRows(0);
    yield byteOrderMark + csvLine(Object.keys(columns));
    for (; batch.done !== true; batch = await next) {
      next = fetchNext();
      // The driver sends the request in an immediate of its own, which it schedules after this one. Until then Postgres
      // would have nothing to do.
      await setImmediate();
      await setImmediate();
      let lines = '';
      for (const [row = ''] of batch.value) {
        const cells = row.split(separator);
        for (const at of instants) cells[at] = toIso(cells[at] ?? '');
        lines += csvLine(cells, kinds);
      }
      onRows(batch.value.length);
      yield lines;
    }
  } finally {
    // A cursor cannot be closed while it fetches. A failure of that fetch has been thrown already or is of no interest.
    await next.catch(() => undefined);
    await rows.return?.();
  }
}

const wholeSecondsLength = '16:27:18'.length;
const millisecondsLength = '16:27:18.500'.length;

/** Postgres writes `2026-11-21 16:27:18.5`, without a fraction if it is zero. An empty cell stays empty. */
function toIso(text: string): string {
  if (text === '') return '';
  const space = text.indexOf(' ');
  const time = text.slice(space + 1);
  const fraction = time.length === wholeSecondsLength ? `${time}.` : time;
  return `${text.slice(0, space)}T${fraction.padEnd(millisecondsLength, '0')}Z`;
}

/** A file that is written while it is sent. */
export interface ExportFile {
  name: string;
  /** Ending early ends the query behind it. A failure of the database is thrown. */
  chunks: AsyncGenerator<string, void>;
}

/** `leads-2026-11-21.csv`, with the day in UTC. */
export function csvFile(what: string, now: Date, chunks: ExportFile['chunks']): ExportFile {
  return { name: `${what}-${now.toISOString().slice(0, 10)}.csv`, chunks };
}

export function jsonFile(what: string, text: string): ExportFile {
  async function* chunks(): AsyncGenerator<string, void> {
    yield await Promise.resolve(text);
  }
  return { name: `${what}.json`, chunks: chunks() };
}

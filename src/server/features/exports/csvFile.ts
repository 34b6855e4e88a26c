import type { SQL } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import type { Database } from '../../db/connect.ts';
import { byteOrderMark, csvLine, type CsvValue } from './csv.ts';

/** A file that is written while it is sent. */
export interface CsvFile {
  name: string;
  /** Text of a few hundred rows at a time. Leaving early closes the query; a failure of the database is thrown. */
  chunks: AsyncGenerator<string, void>;
}

export type ExportRow = Record<string, CsvValue>;

const rowsAtOnce = 1000;
const dialect = new PgDialect();

/** `leads-2026-11-21.csv`: the day is UTC's. */
export function csvName(what: string, now: Date): string {
  return `${what}-${now.toISOString().slice(0, 10)}.csv`;
}

/**
 * Every row of a query as CSV under these columns, read from a cursor as fast as the reader takes it: memory holds one batch, whatever the size.
 * All rows are of one moment. A row is made of the query's columns by `valuesOf`.
 */
export async function* csvOfQuery(
  db: Database,
  query: SQL,
  columns: readonly string[],
  valuesOf: (row: ExportRow) => CsvValue[],
): AsyncGenerator<string, void> {
  const { sql: text, params } = dialect.sqlToQuery(query);
  const parameters = params.map((value) => parameterOf(value));
  const rows = db.$client.unsafe<ExportRow[]>(text, parameters).cursor(rowsAtOnce)[Symbol.asyncIterator]();
  let head = byteOrderMark + csvLine(columns);
  // The next rows are fetched while these are written and sent; they wait in memory, no more than two batches of them.
  const fetching = (): Promise<IteratorResult<ExportRow[], unknown>> => {
    const fetched = Promise.resolve(rows.next());
    // It may fail while what came before is being sent; it is thrown when it is waited for.
    fetched.catch(() => undefined);
    return fetched;
  };
  let next = fetching();
  try {
    for (let batch = await next; batch.done !== true; batch = await next) {
      next = fetching();
      let chunk = head;
      head = '';
      for (const row of batch.value) chunk += csvLine(valuesOf(row));
      yield chunk;
    }
    if (head !== '') yield head;
  } finally {
    // A cursor can't be closed while it fetches; what then fails has been thrown already, or nobody waits for it.
    await next.catch(() => undefined);
    await rows.return?.();
  }
}

/** The driver takes dates as text here: drizzle has taken its date writers over. */
function parameterOf(value: unknown): string | number | boolean | null {
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return null;
}

import type { SQL } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import type { Database } from '../../db/connect.ts';
import { byteOrderMark, csvLine } from './csv.ts';
import { type CsvBytes, CsvRecords } from './csvBytes.ts';

const rowsAtOnce = 1000;
const dialect = new PgDialect();

/** `leads-2026-11-21.csv`: the day is UTC's. */
export function csvName(what: string, now: Date): string {
  return `${what}-${now.toISOString().slice(0, 10)}.csv`;
}

/** A column of a file: text as Postgres writes it, or an instant, which the query gives as UTC's date and time without a zone. */
export type CsvColumns = Readonly<Record<string, 'text' | 'instant'>>;

/**
 * Every row of a query as CSV, read from a cursor as fast as the reader takes it: memory holds one batch, whatever the size. All rows are of one
 * moment. The query has these columns, in this order.
 */
export async function* csvOfQuery(
  db: Database,
  query: SQL,
  columns: CsvColumns,
): AsyncGenerator<Buffer, void> {
  const { sql: text, params } = dialect.sqlToQuery(query);
  const parameters = params.map((value) => parameterOf(value));
  const instants = Object.values(columns).flatMap((kind, at) => (kind === 'instant' ? [at] : []));
  const records = new CsvRecords();
  const rows = db.$client.unsafe(text, parameters).raw().cursor(rowsAtOnce)[Symbol.asyncIterator]();
  // The next rows are fetched while these are written and sent; they wait in memory, no more than two batches of them.
  const fetching = (): Promise<IteratorResult<CsvBytes[][], unknown>> => {
    const fetched = Promise.resolve(rows.next());
    // It may fail while what came before is being sent; it is thrown when it is waited for.
    fetched.catch(() => undefined);
    return fetched;
  };
  let next = fetching();
  try {
    let batch = await next;
    // Not before the first rows: what fails until then is an ordinary error.
    yield Buffer.from(byteOrderMark + csvLine(Object.keys(columns)));
    for (; batch.done !== true; batch = await next) {
      next = fetching();
      for (const row of batch.value) {
        for (const at of instants) row[at] = isoOf(row[at] ?? null);
        records.add(row);
      }
      yield records.take();
    }
  } finally {
    // A cursor can't be closed while it fetches; what then fails has been thrown already, or nobody waits for it.
    await next.catch(() => undefined);
    await rows.return?.();
  }
}

/** Postgres writes an instant of UTC as `2026-11-21 16:27:18.5`. */
function isoOf(timestamp: CsvBytes): CsvBytes {
  if (timestamp === null) return null;
  const [day = '', time = ''] = Buffer.from(timestamp).toString('latin1').split(' ');
  const [seconds = '', fraction = ''] = time.split('.');
  return Buffer.from(`${day}T${seconds}.${fraction.padEnd(3, '0')}Z`, 'latin1');
}

/** The driver takes dates as text here: drizzle has taken its date writers over. */
function parameterOf(value: unknown): string | number | boolean | null {
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return null;
}

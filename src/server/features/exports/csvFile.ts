import { type SQL, sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import type { Database } from '../../db/connect.ts';
import { byteOrderMark, csvLine } from './csv.ts';

/** A file that is written while it is sent. */
export interface CsvFile {
  name: string;
  /** Text of a few hundred rows at a time. Leaving early closes the query; a failure of the database is thrown. */
  chunks: AsyncGenerator<string, void>;
}

const rowsAtOnce = 1000;
const dialect = new PgDialect();

/** `leads-2026-11-21.csv`: the day is UTC's. */
export function csvName(what: string, now: Date): string {
  return `${what}-${now.toISOString().slice(0, 10)}.csv`;
}

/** A file's columns in order: `text` is what people typed, `plain` what can hold neither quote nor comma nor a formula's start. */
export type CsvColumns = Readonly<Record<string, 'text' | 'plain'>>;

/**
 * A cell as csv.ts writes it, written by the database: nearly every one is plain, which one look tells. It is far faster than taking rows apart
 * into values to put them together again.
 */
export function csvCell(column: SQL, kind: CsvColumns[string]): SQL {
  if (kind === 'plain') return sql`coalesce(${column}::text, '')`;
  const guard = sql`case when ${column} ~ '^[-=+@\\t\\r\\n]' then '''' else '' end`;
  return sql`case when (${column} ~ '^[-=+@\\t]|[",\\r\\n]') is not true then coalesce(${column}, '')
    when ${column} ~ '[",\\r\\n]' then '"' || ${guard} || replace(${column}, '"', '""') || '"' else ${guard} || ${column} end`;
}

function linesOf(query: SQL, columns: CsvColumns): SQL {
  const cells = Object.entries(columns).map(([name, kind]) =>
    csvCell(sql`found.${sql.identifier(name)}`, kind),
  );
  return sql`select ${sql.join(cells, sql` || ',' || `)} || e'\\r\\n' as line from (${query}) as found`;
}

/**
 * Every row of a query as CSV, read from a cursor as fast as the reader takes it: memory holds one batch, whatever the size. All rows are of one
 * moment. The query has these columns, by name.
 */
export async function* csvOfQuery(
  db: Database,
  query: SQL,
  columns: CsvColumns,
): AsyncGenerator<string, void> {
  const { sql: text, params } = dialect.sqlToQuery(linesOf(query, columns));
  const parameters = params.map((value) => parameterOf(value));
  const rows = db.$client.unsafe<Line[]>(text, parameters).cursor(rowsAtOnce)[Symbol.asyncIterator]();
  let head = byteOrderMark + csvLine(Object.keys(columns));
  // The next rows are fetched while these are sent; they wait in memory, no more than two batches of them.
  const fetching = (): Promise<IteratorResult<Line[], unknown>> => {
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
      for (const { line } of batch.value) chunk += line;
      yield chunk;
    }
    if (head !== '') yield head;
  } finally {
    // A cursor can't be closed while it fetches; what then fails has been thrown already, or nobody waits for it.
    await next.catch(() => undefined);
    await rows.return?.();
  }
}

interface Line {
  line: string;
}

/** The driver takes dates as text here: drizzle has taken its date writers over. */
function parameterOf(value: unknown): string | number | boolean | null {
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return null;
}

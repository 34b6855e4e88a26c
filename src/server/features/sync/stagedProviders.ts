import { sql } from 'drizzle-orm';
import { skipMessages } from '#server/features/sync/messages.ts';
import { type SyncRunRow, syncRunRowsMax } from '#shared/admin/sync.ts';
import type { Queryable } from '#server/db/connect.ts';
import { type NormalizeContext, type Normalized, normalizeProvider } from './normalizeProvider.ts';
import type { RawPage } from './source.ts';
import { type IncomingProvider, syncedColumns } from '#server/db/syncedColumns.ts';

/** `row`: valid. `bad`: skipped, but present, so it is not gone. `gone`: no longer shown. */
type StagedRow = { state: 'bad' | 'gone' | 'row'; wordpress_id: number } & Partial<IncomingProvider>;

/** Rows per statement. */
const batchSize = 1_000;

const stagedColumns = ['wordpress_id', ...syncedColumns, 'state'] as const;
const casts: Partial<Record<(typeof stagedColumns)[number], string>> = {
  wordpress_id: '::bigint',
  latitude: '::numeric(9,6)',
  longitude: '::numeric(9,6)',
  accepts_free_consultation: '::boolean',
  accepts_financing: '::boolean',
};
const columnList = sql.raw(stagedColumns.join(', '));
const cellList = sql.raw(
  stagedColumns.map((column, at) => `cells[${at + 1}]${casts[column] ?? ''}`).join(', '),
);

/** Control characters separate cells and rows: cleanText removes them from every value. */
const [cellEnd, rowEnd, nothing] = ['\t', '\n', '\u0001'];

/**
 * Creates the staging table of a run, temporary for this connection or its transaction. Returns the database's time,
 * before which absent providers were last written.
 */
export async function createStagingTable(
  db: Queryable,
  lifetime: 'connection' | 'transaction',
): Promise<string> {
  const columns = sql.raw(['wordpress_id', ...syncedColumns].join(', '));
  const onCommit = sql.raw(lifetime === 'transaction' ? 'on commit drop' : '');
  await db.execute(
    sql`create temporary table sync_incoming ${onCommit} as select ${columns} from providers with no data`,
  );
  await db.execute(sql`
    alter table sync_incoming add primary key (wordpress_id), add column state text not null`);
  const [row] = await db.execute<{ at: string }>(sql`select clock_timestamp()::text as at`);
  if (row === undefined) throw new Error('the database has no time');
  return row.at;
}

function lineOf(row: StagedRow): string {
  let line = '';
  for (const column of stagedColumns) line += `${row[column] ?? nothing}${cellEnd}`;
  return line;
}

/** Collects and counts a run's providers in the staging table. */
export class StagedProviders {
  readonly #db: Queryable;
  readonly #context: Omit<NormalizeContext, 'media'>;
  readonly #seen = new Set<number>();
  #waiting: StagedRow[] = [];
  #writing: Promise<void> = Promise.resolve();
  /** The first thousand that were skipped. */
  readonly skippedRows: SyncRunRow[] = [];
  read = 0;
  skipped = 0;
  /** Whether a record had no id. It might be any provider's, so none counts as gone. */
  hasUnnumbered = false;

  constructor(db: Queryable, context: Omit<NormalizeContext, 'media'>) {
    this.#db = db;
    this.#context = context;
  }

  /** Adds a page and returns the result of each record, in order: the provider's id, and why it was skipped. */
  async add({ records, media }: RawPage): Promise<{ wordpressId: number | null; reason: string | null }[]> {
    const context = { ...this.#context, media };
    const results = records.map((record) => this.#take(normalizeProvider(record, context)));
    if (this.#waiting.length >= batchSize) {
      // Postgres writes while the next pages are read.
      await this.#writing;
      this.#writing = this.#write(this.#takeWaiting());
      this.#writing.catch(() => undefined);
    }
    return results;
  }

  #take(normalized: Normalized): { wordpressId: number | null; reason: string | null } {
    this.read += 1;
    const wordpressId = normalized.kind === 'row' ? normalized.row.wordpress_id : normalized.wordpressId;
    if (wordpressId === null) this.hasUnnumbered = true;
    else if (this.#seen.has(wordpressId))
      return this.#skip(wordpressId, nameOf(normalized), skipMessages.repeated);
    else this.#seen.add(wordpressId);
    if (normalized.kind === 'row') this.#waiting.push({ state: 'row', ...normalized.row });
    else if (normalized.kind === 'gone')
      this.#waiting.push({ state: 'gone', wordpress_id: normalized.wordpressId });
    else {
      if (wordpressId !== null) this.#waiting.push({ state: 'bad', wordpress_id: wordpressId });
      return this.#skip(wordpressId, normalized.name, normalized.reason);
    }
    return { wordpressId, reason: null };
  }

  #skip(
    wordpressId: number | null,
    name: string | null,
    reason: string,
  ): { wordpressId: number | null; reason: string } {
    this.skipped += 1;
    if (this.skippedRows.length < syncRunRowsMax)
      this.skippedRows.push({ change: 'skipped', wordpressId, name, detail: reason });
    return { wordpressId, reason };
  }

  /** Writes the rest. Must be called once at the end. */
  async flush(): Promise<void> {
    await this.#writing;
    await this.#write(this.#takeWaiting());
    // Autovacuum does not analyze temporary tables. Only for columns in joins and filters.
    await this.#db.execute(sql`analyze sync_incoming (wordpress_id, state)`);
  }

  #takeWaiting(): StagedRow[] {
    const rows = this.#waiting;
    this.#waiting = [];
    return rows;
  }

  /** One text for all rows: a third of the cost of JSON on both sides. */
  async #write(rows: readonly StagedRow[]): Promise<void> {
    if (rows.length === 0) return;
    const text = rows.map(lineOf).join(rowEnd);
    await this.#db.execute(sql`
      insert into sync_incoming (${columnList}) select ${cellList}
      from (select string_to_array(line, ${cellEnd}, ${nothing}) as cells from string_to_table(${text}, ${rowEnd}) as line offset 0) as lines`);
  }
}

function nameOf(normalized: Normalized): string | null {
  return normalized.kind === 'row' ? normalized.row.name : normalized.name;
}

import { setImmediate } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { skipMessages, sourceMessages, warningMessages } from './messages.ts';
import { type SyncRunRow, syncRunRowsMax } from '#shared/admin/sync.ts';
import type { Queryable } from '#server/db/connect.ts';
import { readRow } from '#server/db/readRows.ts';
import { syncedDbColumn } from '#server/db/providerFields.ts';
import type { IncompleteRow } from './completeRows.ts';
import { type Normalized, normalizeProvider } from './normalizeProvider.ts';
import type { NormalizeContext } from './fieldValues.ts';
import type { RawPage } from './source.ts';
import {
  type IncomingProvider,
  type SyncedColumn,
  syncedColumns,
} from '#shared/providers/providerFieldLists.ts';

/** `row`: valid. `bad`: skipped, but present, so it is not gone. `gone`: no longer shown, or marked inactive. */
type StagedRow = {
  state: 'bad' | 'gone' | 'row';
  wordpress_id: number;
  /** Columns whose present value stays, separated by commas. */
  kept?: string;
  /** Why it was skipped, or why its status was not changed. */
  reason?: string;
  /** Whether it is inactive if the run uses the status field. */
  is_off?: boolean;
} & Partial<IncomingProvider>;

/** What became of one record. */
export interface RecordResult {
  wordpressId: number | null;
  /** In the file; null if nobody asked. */
  line: number | null;
  /** Why it was skipped; null if it wasn't. */
  reason: string | null;
  warnings: readonly string[];
}

const batchSize = 1_000;
/** Visitors' requests wait no longer than this, and one row, for the rows of a page. */
const blockMsMax = 10;

const stagedColumns = ['wordpress_id', ...syncedColumns, 'state', 'kept', 'reason', 'is_off'] as const;
const types: ReadonlyMap<string, string> = new Map([
  ['wordpress_id', 'bigint'],
  ['is_off', 'boolean'],
  ...syncedColumns.map((column) => [column, syncedDbColumn(column).getSQLType()] as const),
]);
const columnList = sql.raw(stagedColumns.join(', '));
const cellList = sql.raw(
  stagedColumns.map((column, at) => `cells[${at + 1}]::${types.get(column) ?? 'text'}`).join(', '),
);

/** Control characters separate cells and rows: no value has them, as only line breaks are left in some. */
const [cellEnd, rowEnd, nothing] = ['\u001f', '\u001e', '\u0001'];

/** Creates a run's temporary staging table. Returns the database's time, before which absent providers were written. */
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
    alter table sync_incoming add primary key (wordpress_id), add column state text not null, add column kept text,
      add column reason text, add column is_off boolean, add column waits_for_id bigint`);
  return (await readRow(db, z.object({ at: z.string() }))`select clock_timestamp()::text as at`).at;
}

function cellText(value: StagedRow[(typeof stagedColumns)[number]]): string {
  return Array.isArray(value)
    ? `{${value.map((item) => JSON.stringify(item)).join()}}`
    : String(value ?? nothing);
}

function buildLine(row: StagedRow): string {
  let line = '';
  for (const column of stagedColumns) line += `${cellText(row[column])}${cellEnd}`;
  return line;
}

/** What is the same for all records of a run. */
type StagingContext = Omit<NormalizeContext, 'media' | 'absent'>;

interface StagingOptions {
  /** Whether an earlier run of this source showed that its status field is used. */
  isFieldUsed?: boolean;
}

/** Collects and counts a run's providers in the staging table. */
export class StagedProviders {
  readonly #db: Queryable;
  readonly #context: StagingContext;
  readonly #seen = new Set<number>();
  /** Records that can't be used, with a status field of false or 0: deactivated if the run uses that field. */
  readonly #undecided: { result: RecordResult; name: string | null; reason: string }[] = [];
  /** Providers that a later row of the same data marks inactive. */
  readonly #stopped: number[] = [];
  #waiting: StagedRow[] = [];
  #writing: Promise<void> = Promise.resolve();
  /** The first thousand that were skipped. */
  readonly skippedRows: SyncRunRow[] = [];
  /** The first thousand warnings. */
  readonly warnedRows: SyncRunRow[] = [];
  read = 0;
  skipped = 0;
  warned = 0;
  /** Whether a record had no id. It might be any provider's, so none counts as gone. */
  hasRowsWithoutId = false;
  /** Whether a record's status field says 1 or true, so that false or 0 means inactive. */
  isFieldUsed: boolean;

  constructor(db: Queryable, context: StagingContext, { isFieldUsed = false }: StagingOptions = {}) {
    this.#db = db;
    this.#context = context;
    this.isFieldUsed = isFieldUsed;
  }

  /** Adds a page. Returns each record's result, in order, for `decideStatuses`. `absent`: the source lacks these. */
  async add(
    { records, media, kept = [], lines = [] }: RawPage,
    absent: readonly SyncedColumn[] = [],
  ): Promise<RecordResult[]> {
    const context = { ...this.#context, media, absent };
    const results: RecordResult[] = [];
    let since = performance.now();
    for (const [at, record] of records.entries()) {
      const normalized = normalizeProvider(record, context);
      results.push(this.#take(normalized, [...absent, ...(kept[at] ?? [])], lines[at] ?? null));
      if (performance.now() - since < blockMsMax) continue;
      await setImmediate();
      since = performance.now();
    }
    if (this.#waiting.length >= batchSize) {
      // Postgres writes while the next pages are read.
      await this.#writing;
      this.#writing = this.#write(this.#takeWaiting());
      this.#writing.catch(() => undefined);
    }
    return results;
  }

  #take(normalized: Normalized, kept: readonly SyncedColumn[], line: number | null): RecordResult {
    this.read += 1;
    this.isFieldUsed ||= normalized.isFieldUsed;
    const wordpressId = normalized.kind === 'row' ? normalized.row.wordpress_id : normalized.wordpressId;
    const name = getName(normalized);
    const result: RecordResult = { wordpressId, line, reason: null, warnings: [] };
    if (wordpressId === null) this.hasRowsWithoutId = true;
    else if (this.#seen.has(wordpressId)) {
      if (normalized.kind === 'gone' || (normalized.kind === 'row' && normalized.row.status === 'f'))
        this.#stopped.push(wordpressId);
      return this.#skip(result, name, skipMessages.repeated);
    } else this.#seen.add(wordpressId);
    if (normalized.kind !== 'skipped') {
      this.#waiting.push(toStagedRow(normalized, kept));
      return this.#warn(result, name, normalized.warnings);
    }
    const { reason, isOff } = normalized;
    if (wordpressId !== null)
      this.#waiting.push({ state: 'bad', wordpress_id: wordpressId, reason, ...(isOff && { is_off: true }) });
    if (wordpressId === null || !isOff) return this.#skip(result, name, reason);
    this.#undecided.push({ result, name, reason });
    return result;
  }

  #skip(result: RecordResult, name: string | null, reason: string): RecordResult {
    this.skipped += 1;
    result.reason = reason;
    if (this.skippedRows.length < syncRunRowsMax)
      this.skippedRows.push({
        ...{ change: 'skipped', wordpressId: result.wordpressId, name },
        detail: atLine(result.line, reason),
      });
    return result;
  }

  #warn(result: RecordResult, name: string | null, warnings: readonly string[]): RecordResult {
    if (warnings.length === 0) return result;
    this.warned += 1;
    result.warnings = warnings;
    if (this.warnedRows.length < syncRunRowsMax)
      this.warnedRows.push({
        change: 'warned',
        wordpressId: result.wordpressId,
        name,
        detail: atLine(result.line, warnings.join(' ')),
      });
    return result;
  }

  /** Writes the rest of what was added. */
  async flush(): Promise<void> {
    await this.#writing;
    await this.#write(this.#takeWaiting());
    // Autovacuum does not analyze temporary tables. Only for columns in joins and filters.
    await this.#db.execute(sql`analyze sync_incoming (wordpress_id, state)`);
  }

  /** Decides what needs all rows: whose false or 0 means inactive, and who is inactive by a later row. Called once. */
  async decideStatuses(): Promise<void> {
    const { isFieldUsed } = this;
    if (isFieldUsed)
      await this.#db.execute(sql`
        update sync_incoming set status = case when state = 'row' then 'f' end, state = case when state = 'row' then 'row' else 'gone' end
        where is_off`);
    for (const { result, name, reason } of this.#undecided)
      if (isFieldUsed) this.#warn(result, name, [warningMessages.goneAnyway(reason)]);
      else this.#skip(result, name, reason);
    for (let at = 0; at < this.#stopped.length; at += batchSize) {
      const ids = this.#stopped.slice(at, at + batchSize);
      await this.#db.execute(
        sql`update sync_incoming set state = 'gone' where wordpress_id = any(string_to_array(${ids.join()}, ',')::bigint[])`,
      );
    }
  }

  /** Counts and lists staged rows as skipped. */
  skipIncomplete(rows: readonly IncompleteRow[]): void {
    for (const { wordpressId, name, reason } of rows)
      this.#skip({ wordpressId, line: null, reason: null, warnings: [] }, name, reason);
  }

  #takeWaiting(): StagedRow[] {
    const rows = this.#waiting;
    this.#waiting = [];
    return rows;
  }

  /** One text for all rows: a third of the cost of JSON on both sides. */
  async #write(rows: readonly StagedRow[]): Promise<void> {
    if (rows.length === 0) return;
    const text = rows.map(buildLine).join(rowEnd);
    await this.#db.execute(sql`
      insert into sync_incoming (${columnList}) select ${cellList}
      from (select string_to_array(line, ${cellEnd}, ${nothing}) as cells from string_to_table(${text}, ${rowEnd}) as line offset 0) as lines`);
  }
}

function atLine(line: number | null, detail: string): string {
  return line === null ? detail : sourceMessages.atLine(line, detail);
}

function getName(normalized: Normalized): string | null {
  return normalized.kind === 'row' ? normalized.row.name : normalized.name;
}

function toStagedRow(
  normalized: Exclude<Normalized, { kind: 'skipped' }>,
  keptColumns: readonly SyncedColumn[],
): StagedRow {
  if (normalized.kind === 'gone') return { state: 'gone', wordpress_id: normalized.wordpressId };
  const kept = [...new Set([...normalized.kept, ...keptColumns])];
  const [reason] = normalized.kept.includes('status') ? normalized.warnings : [];
  return {
    state: 'row',
    ...normalized.row,
    ...(kept.length > 0 && { kept: kept.join(',') }),
    ...(reason !== undefined && { reason }),
    ...(normalized.isOff && { is_off: true }),
  };
}

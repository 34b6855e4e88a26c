import { sql, and, gte, lt, type Column, type SQL } from 'drizzle-orm';
import { z } from 'zod';
import type { Queryable } from './connect.ts';
import type { TimeFilter } from '#shared/formats/day.ts';
import { dayMs } from '#shared/formats/time.ts';
import DataLoader from 'dataloader';

/** A `bigint`, such as an id, which the driver returns as text. Ours stay below 2^53. */
export const bigintColumn = z.string().transform(Number);

/** A time that the statement returns as text; drizzle reads those of its own queries. */
export const timeColumn = z.string().transform((text) => new Date(text));

type Statement<Result> = (text: TemplateStringsArray, ...values: unknown[]) => Promise<Result>;

/** Runs the statement written after it, as after `sql`, and parses its rows. Throws if they aren't as expected. */
export function readRows<Row>(db: Queryable, schema: z.ZodType<Row>): Statement<Row[]> {
  return async (text, ...values) => {
    const rows = await db.execute(sql(text, ...values));
    return rows.map((row) => schema.parse(row));
  };
}

/** The same for a statement that returns one row. Throws if it returned none. */
export function readRow<Row>(db: Queryable, schema: z.ZodType<Row>): Statement<Row> {
  return async (text, ...values) => {
    const [row] = await db.execute(sql(text, ...values));
    return schema.parse(row);
  };
}

/** Whether a time is within a filter's days and instants; undefined without any. */
export function isWithin(
  column: Column,
  { from, to, createdFrom, createdBefore }: TimeFilter,
): SQL | undefined {
  return and(
    from === undefined ? undefined : gte(column, new Date(from)),
    to === undefined ? undefined : lt(column, new Date(Date.parse(to) + dayMs)),
    createdFrom === undefined ? undefined : gte(column, new Date(createdFrom)),
    createdBefore === undefined ? undefined : lt(column, new Date(createdBefore)),
  );
}

const clock = z.object({ now: timeColumn });

/**
 * Limits the later lock waits of a transaction; then they throw SQLSTATE 55P03. Sent at once, before later statements.
 */
export async function setLockTimeout(tx: Queryable, timeoutMs: number): Promise<void> {
  await tx.execute(sql`select set_config('lock_timeout', ${String(timeoutMs)}, true)`);
}

/** The database's time when the transaction began; outside of one, now. To a millisecond. */
export async function readTransactionTime(tx: Queryable): Promise<Date> {
  return (await readRow(tx, clock)`select now()::text as now`).now;
}

/** Keys in one statement. */
const keysMax = 100;

/**
 * Reads by key with one statement per turn of the event loop. `read` returns values in key order, or all calls reject.
 */
export function readTogether<Key, Value>(
  read: (keys: readonly Key[]) => Promise<readonly Value[]>,
): (key: Key) => Promise<Value> {
  const loader = new DataLoader<Key, Value>(read, {
    cache: false,
    maxBatchSize: keysMax,
    batchScheduleFn: (run) => setImmediate(run),
  });
  return (key) => loader.load(key);
}

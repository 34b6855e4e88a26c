import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Queryable } from './connect.ts';

/** A `bigint`, such as an id, which the driver returns as text. Ours stay below 2^53. */
export const bigintColumn = z.string().transform(Number);

/** A time that the statement returns as text; drizzle reads those of its own queries. */
export const timeColumn = z.string().transform((text) => new Date(text));

type Statement<Result> = (text: TemplateStringsArray, ...values: unknown[]) => Promise<Result>;

/**
 * Runs a statement, written after it as after `sql`, and parses its rows. Throws if the database returned something else
 * than the code expects.
 */
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

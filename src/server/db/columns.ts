import { sql } from 'drizzle-orm';
import { bigint, check, customType, type PgColumn, timestamp } from 'drizzle-orm/pg-core';

/** An instant in milliseconds, so that what JavaScript wrote reads back identically (the consent hash relies on it). */
export const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });

/** A point on the earth's sphere as contrib `cube` holds it; only the database makes and reads it. */
export const cube = customType<{ data: string }>({ dataType: () => 'cube' });

export const inet = customType<{ data: string }>({ dataType: () => 'inet' });

/** An id or a count, which stays below 2^53. */
export const bigNumber = (name: string) => bigint(name, { mode: 'number' });

/** A check that a text is one of these. Drizzle knows the values of a column's `enum`, but not in the list of checks. */
export function checkValues(name: string, column: PgColumn, values: readonly string[]) {
  const list = values.map((value) => `'${value}'`).join(', ');
  return check(name, sql`${column} in (${sql.raw(list)})`);
}

import { retentionPurges, purgeUntilDone } from '#server/background/retention.ts';
import { type Retention, type RetentionName, retentionNames } from '#server/config/retention.ts';
import { dayMs } from '#shared/formats/time.ts';
import { buildLines } from './logLines.ts';
import type { TestDb } from './testDb.ts';

export const keptForever = Object.fromEntries(retentionNames.map((name) => [name, null])) as Record<
  RetentionName,
  null
>;

const now = new Date();

export const daysAgo = (days: number): Date => new Date(now.getTime() - days * dayMs);
/** The same for the driver. */
export const textAgo = (days: number): string => daysAgo(days).toISOString();

/** Runs the purges of one retention, with this period. Returns how many rows they removed. */
export async function purge({ db }: TestDb, changed: Partial<Retention>): Promise<number> {
  const { log } = buildLines();
  const { signal } = new AbortController();
  let rows = 0;
  for (const each of retentionPurges({ ...keptForever, ...changed }))
    rows += await purgeUntilDone({ db, log }, each, { signal });
  return rows;
}

/** The values of a query's first column. */
export async function listValues({ sql }: TestDb, query: string): Promise<unknown[]> {
  return (await sql.unsafe(query)).map((row) => Object.values(row)[0]);
}

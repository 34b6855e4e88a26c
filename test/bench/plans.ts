import { drizzle } from 'drizzle-orm/postgres-js';
import type { Connection, Database } from '#server/db/connect.ts';
import * as schema from '#server/db/schema/index.ts';

interface Query {
  text: string;
  params: unknown[];
}

/** A database whose queries are caught on their way. */
function listening(connection: Connection): { db: Database; caught: Query[] } {
  const caught: Query[] = [];
  const logger = { logQuery: (text: string, params: unknown[]) => void caught.push({ text, params }) };
  return { db: drizzle(connection.sql, { schema, logger }), caught };
}

/** A parameter as Postgres reads it. */
function toText(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  return Array.isArray(value) ? `{${value.join(',')}}` : String(value);
}

/** How Postgres runs every query of what is asked, planned under the same settings: one line each. */
export async function listPlans(
  connection: Connection,
  ask: (db: Database) => Promise<unknown>,
): Promise<string[]> {
  const { db, caught } = listening(connection);
  await ask(db);
  return connection.sql.begin(async (tx) => {
    const plans: string[] = [];
    for (const { text, params } of caught) {
      const isRead = /^\s*(with|select)\b/.test(text);
      // A plan isn't hurried, whatever its query was.
      if (!isRead || text.startsWith(`select set_config('statement_timeout'`)) continue;
      const values = params.map(toText);
      if (text.includes('set_config')) await tx.unsafe(text, values);
      else {
        const lines = await tx.unsafe<{ 'QUERY PLAN': string }[]>(`explain (costs off) ${text}`, values);
        plans.push(lines.map((line) => line['QUERY PLAN'].trim()).join(' | '));
      }
    }
    return plans;
  });
}

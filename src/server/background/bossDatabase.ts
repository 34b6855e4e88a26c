import type { Db as BossDb } from 'pg-boss';
import type postgres from 'postgres';
import type { Sql } from '../db/connect.ts';
import { openSideConnection } from '../db/openSideConnection.ts';

export interface BossDatabase extends BossDb {
  close: () => Promise<void>;
}

/** As pg-boss's own driver has them: JSON given as text is JSON, instants are dates. Drizzle has changed the pool's. */
const json = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
const date = (text: string): Date => new Date(text);

function ownTypes({
  options: { parsers, serializers },
}: Sql): Pick<Sql['options'], 'parsers' | 'serializers'> {
  return {
    parsers: { ...parsers, 1082: date, 1114: date, 1184: date },
    serializers: { ...serializers, 114: json, 3802: json },
  };
}

type Parameter = postgres.ParameterOrJSON<never>;

/** pg-boss says nothing of what it sends; these are all there are. */
function isParameter(value: unknown): value is Parameter {
  return value !== undefined && typeof value !== 'function' && typeof value !== 'symbol';
}

function parameterOf(value: unknown): Parameter {
  return isParameter(value) ? value : null;
}

/** A script holds a transaction, which must not be torn over several connections. */
const isScript = (text: string): boolean => /^\s*begin\b/i.test(text);

/**
 * pg-boss over connections of its own beside a pool: the one driver and its TLS for everything. Two for the quick statements of every day, one
 * for its maintenance scripts, which would keep them waiting. The quick ones don't wait until Postgres has written to the disk what was taken or is
 * done: a job that comes back because Postgres crashed finds that there is nothing to do.
 */
export function openBossDatabase(sql: Sql): BossDatabase {
  const own = { purpose: 'jobs', fetch_types: true, ...ownTypes(sql) };
  const { sql: quick } = openSideConnection(sql, { ...own, max: 2, settings: { synchronous_commit: 'off' } });
  const { sql: scripts } = openSideConnection(sql, { ...own, max: 1 });
  return {
    async executeSql(text, values = []) {
      const client = isScript(text) ? scripts : quick;
      // What comes with values comes again: it is prepared once. The rest may be several statements.
      const options = { prepare: values.length > 0 };
      const result = await client.unsafe<unknown[]>(text, values.map(parameterOf), options);
      // A script of several statements has a list of rows each.
      return { rows: result.some(Array.isArray) ? result.flat() : [...result] };
    },
    async close() {
      await Promise.all([quick.end({ timeout: 5 }), scripts.end({ timeout: 5 })]);
    },
  };
}

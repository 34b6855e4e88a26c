import { drizzle } from 'drizzle-orm/postgres-js';
import { getFamily, openPool, openWith, type Pool, type Sql } from './pool.ts';
import type { Connection } from './connect.ts';
import * as schema from './schema/index.ts';

/** Options that differ from the pool's. `purpose` is first in pg_stat_activity: `worker of clinic-leads-web #17`. */
interface SideOptions extends Partial<Pick<Sql['options'], 'parsers' | 'serializers'>> {
  purpose: string;
  max: number;
  fetch_types: boolean;
  /** Session settings, by Postgres' names. */
  settings?: Record<string, string>;
  onclose?: () => void;
  onnotify?: (channel: string, payload: string) => void;
  /** false: the caller notices a silent connection itself. By default it is watched if the pool is. */
  watch?: false;
}

/**
 * A separate pool to the same database, for work that must not wait for the main pool, nor delay it. Its connections
 * are sessions even if the main pool's proxy pools transactions (`directUrl` of `connect`). Watched like the main pool.
 */
export function openSideConnection(sql: Sql, { purpose, settings, watch, ...changes }: SideOptions): Pool {
  const family = getFamily(sql);
  const { connection } = family.direct ?? sql.options;
  const own = {
    shared: { retries: 0, typeArrayMap: {} },
    idle_timeout: 0,
    max_lifetime: null,
    onclose: () => undefined,
    connection: {
      ...connection,
      ...settings,
      application_name: `${purpose} of ${connection.application_name ?? 'postgres.js'}`,
    },
    ...changes,
  };
  const first = openWith(sql, own, family.direct ?? {});
  return openPool({ first, family: watch === false ? { ...family, timings: null } : family, name: purpose });
}

/** One connection beside the pool, for session locks and temporary tables, which end with it. */
export function openOwnConnection(pool: Sql, purpose: string): Connection {
  const { sql, health } = openSideConnection(pool, { purpose, max: 1, fetch_types: false });
  return { sql, db: drizzle(sql, { schema }), health, close: () => sql.end({ timeout: 0 }) };
}

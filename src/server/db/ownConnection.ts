import { drizzle } from 'drizzle-orm/postgres-js';
import postgres from 'postgres';
import type { Connection, Sql } from './connect.ts';
import * as schema from './schema/index.ts';

/** The server drops a peer that went away without a word after about a minute and a half, and with it the peer's locks. */
const keepAlive = { tcp_keepalives_idle: 60, tcp_keepalives_interval: 10, tcp_keepalives_count: 3 };

/**
 * A client with one connection to where the pool goes, for what lives as long as a connection: session locks, temporary tables. The driver
 * takes options it has parsed before as they are. `name` stands before the pool's own in pg_stat_activity.
 */
export function openOwnConnection(pool: Sql, name: string): Connection {
  const applicationName = pool.options.connection.application_name ?? 'postgres.js';
  const options: postgres.Options<Record<string, never>> = Object.assign({}, pool.options, {
    shared: { retries: 0, typeArrayMap: {} },
    max: 1,
    idle_timeout: null,
    max_lifetime: null,
    fetch_types: false,
    connection: {
      ...pool.options.connection,
      ...keepAlive,
      application_name: `${name} of ${applicationName}`,
    },
  });
  const sql = postgres(options);
  return { sql, db: drizzle(sql, { schema }), close: () => sql.end({ timeout: 0 }) };
}

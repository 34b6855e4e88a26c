import { drizzle } from 'drizzle-orm/postgres-js';
import type { Connection, Sql } from './connect.ts';
import { openSideConnection } from './openSideConnection.ts';
import * as schema from './schema/index.ts';

/** One connection beside the pool, for what lives as long as a connection: session locks, temporary tables. */
export function openOwnConnection(pool: Sql, purpose: string): Connection {
  const { sql, health } = openSideConnection(pool, { purpose, max: 1, fetch_types: false });
  return { sql, db: drizzle(sql, { schema }), health, close: () => sql.end({ timeout: 0 }) };
}

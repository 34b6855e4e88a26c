import postgres from 'postgres';
import type { Sql } from './connect.ts';

/** What may differ from the pool; `purpose` stands before its name in pg_stat_activity: `jobs of clinic-leads-web #17`. */
interface Beside extends Partial<Pick<Sql['options'], 'parsers' | 'serializers'>> {
  purpose: string;
  max: number;
  fetch_types: boolean;
  /** Of its sessions, by Postgres' names. */
  settings?: Record<string, string>;
  onclose?: () => void;
  onnotify?: (channel: string, payload: string) => void;
}

/**
 * A client of its own to where a pool goes, apart from it: for what must not wait for the pool, nor it for that. The driver takes options it
 * has parsed before as they are.
 */
export function connectBeside(sql: Sql, { purpose, settings, ...changes }: Beside): Sql {
  const applicationName = sql.options.connection.application_name ?? 'postgres.js';
  const options: postgres.Options<Record<string, never>> = Object.assign({}, sql.options, {
    shared: { retries: 0, typeArrayMap: {} },
    idle_timeout: null,
    max_lifetime: null,
    connection: {
      ...sql.options.connection,
      ...settings,
      application_name: `${purpose} of ${applicationName}`,
    },
    ...changes,
  });
  return postgres(options);
}

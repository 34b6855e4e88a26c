import { readFileSync } from 'node:fs';
import { checkServerIdentity, type ConnectionOptions } from 'node:tls';
import { randomBytes } from 'node:crypto';
import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js';
import postgres from 'postgres';
import type { Log } from '../log.ts';
import type { DatabaseHealth } from './databaseHealth.ts';
import { mainName, newFamily, openPool, type Sql } from './pool.ts';
import type { WatchTimings } from './poolWatchdog.ts';
import * as schema from './schema/index.ts';

/** Drizzle over the pool; `$client` is the pool itself. */
export type Database = PostgresJsDatabase<typeof schema> & { $client: Sql };
/** The database or a transaction of it. */
export type Queryable = PostgresJsDatabase<typeof schema>;
export type { Sql };

export interface Connection {
  /**
   * The pool, for what drizzle does not support (listen, begin, copy). Timestamps are text here, since drizzle replaces
   * the pool's date parsers.
   */
  sql: Sql;
  db: Database;
  health: DatabaseHealth;
  /** Waits for running queries for five seconds at most (`closeSeconds`), then closes every connection. */
  close: () => Promise<void>;
}

interface ConnectOptions {
  /** Shown in pg_stat_activity, followed by `processTag`. */
  applicationName: string;
  /** Maximum number of connections, opened when first needed. */
  max?: number;
  log?: Log;
  /** How long running queries may take when the pool is closed; 5 by default. */
  closeSeconds?: number;
  /**
   * For pools that live as long as the process: probes this pool and its side connections, and replaces one that is
   * silent for 30 s. Tests pass shorter times.
   */
  watch?: boolean | Partial<WatchTimings>;
}

const tlsParameters = ['sslmode', 'ssl', 'sslrootcert', 'sslcert', 'sslkey'] as const;

/**
 * Opens a pool for a `postgres://` URL. TLS follows libpq's parameters: `sslmode` disable, prefer (the default: TLS if
 * the server has it), require (encrypts, and verifies nothing unless `sslrootcert` is set), verify-ca, verify-full;
 * `sslrootcert`, `sslcert` and `sslkey` name PEM files. Server notices are dropped. Throws if the URL or a certificate
 * file is invalid. An unreachable server fails the first query, within ten seconds.
 */
export function connect(
  url: string,
  { applicationName, max = 10, log, closeSeconds = 5, watch = false }: ConnectOptions,
): Connection {
  const first = postgres(withoutTlsParameters(url), {
    max,
    ssl: tlsOptions(url),
    connect_timeout: 10,
    // The driver's own delay grows to 20 s, during which every query hangs although the server is back.
    backoff: (attempts) => Math.min(1, 0.01 * 2 ** attempts),
    connection: { application_name: `${applicationName} ${processTag}` },
    onnotice: () => undefined,
    onclose: (connection) =>
      log?.debug(
        { event: 'database.connection-closed', connection, applicationName },
        'database connection closed',
      ),
  });
  const { sql, health } = openPool({ first, family: newFamily(watch, log), name: mainName });
  return {
    sql,
    db: drizzle(sql, { schema }),
    health,
    close: () => sql.end({ timeout: closeSeconds }),
  };
}

/** The driver would send unknown parameters to the server, which refuses them. */
function withoutTlsParameters(url: string): string {
  const bare = new URL(url);
  for (const name of tlsParameters) bare.searchParams.delete(name);
  return bare.href;
}

/** The TLS options of a database URL for the driver. Exported for its test. */
export function tlsOptions(url: string): false | 'prefer' | ConnectionOptions {
  const { hostname, searchParams } = new URL(url);
  const file = (name: string): string | undefined => {
    const path = searchParams.get(name);
    return path === null || path === '' || path === 'system' ? undefined : readFileSync(path, 'utf8');
  };
  const rootCertificate = searchParams.get('sslrootcert');
  const mode =
    searchParams.get('sslmode') ??
    searchParams.get('ssl') ??
    (rootCertificate === 'system' ? 'verify-full' : 'prefer');
  const ca = file('sslrootcert');
  const cert = file('sslcert');
  const key = file('sslkey');
  const certificates = {
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
  };
  switch (mode) {
    case 'disable':
    case 'false':
      return false;
    case 'allow':
    case 'prefer':
      return 'prefer';
    case 'require':
    case 'true':
      // libpq: with a root certificate, require verifies the chain as verify-ca does.
      return ca === undefined
        ? { ...certificates, rejectUnauthorized: false }
        : { ...certificates, rejectUnauthorized: true, checkServerIdentity: () => undefined };
    case 'verify-ca':
      return { ...certificates, rejectUnauthorized: true, checkServerIdentity: () => undefined };
    case 'verify-full':
      // The driver passes no server name if the host is an address; Node would then verify "localhost".
      return {
        ...certificates,
        rejectUnauthorized: true,
        checkServerIdentity: (_, peer) => checkServerIdentity(hostname.replace(/^\[|\]$/g, ''), peer),
      };
    default:
      throw new Error(
        `DATABASE_URL: sslmode "${mode}" is not one of disable, allow, prefer, require, verify-ca, verify-full`,
      );
  }
}

/**
 * The end of the name of every session of this process in pg_stat_activity: its id and a random part, since in
 * containers every process may have the id 1.
 */
export const processTag = `#${process.pid}-${randomBytes(3).toString('hex')}`;

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
/** What a query needs: the database or a transaction of it. */
export type Queryable = PostgresJsDatabase<typeof schema>;
export type { Sql };

export interface Connection {
  /** The pool itself, for what drizzle can't say (listen, begin, copy). Timestamps arrive as text here: drizzle takes the pool's date parsers over. */
  sql: Sql;
  db: Database;
  health: DatabaseHealth;
  /** Lets queries under way finish for at most five seconds (`closeSeconds`), then closes every connection. */
  close: () => Promise<void>;
}

interface ConnectOptions {
  /** Shown in pg_stat_activity, followed by `processTag`. */
  applicationName: string;
  /** Connections at most; they are opened when first needed. */
  max?: number;
  log?: Log;
  /** How long queries under way may take when it is closed; 5 when left out. */
  closeSeconds?: number;
  /**
   * For pools that live as long as the process: probes this pool and those opened beside it (`connectBeside`) and replaces one that stays
   * silent for 30 s. Tests give shorter times.
   */
  watch?: boolean | Partial<WatchTimings>;
}

const tlsParameters = ['sslmode', 'ssl', 'sslrootcert', 'sslcert', 'sslkey'] as const;

/**
 * Opens a pool on a `postgres://` address. TLS follows libpq's parameters: `sslmode` disable, prefer (the default: TLS when the server has it),
 * require (encrypts, verifies nothing unless `sslrootcert` is given), verify-ca, verify-full; `sslrootcert`, `sslcert` and `sslkey` name
 * PEM files. Server notices are dropped. Throws when the address or a certificate file is wrong; a server that can't be reached shows at
 * the first query, within ten seconds.
 */
export function connect(
  url: string,
  { applicationName, max = 10, log, closeSeconds = 5, watch = false }: ConnectOptions,
): Connection {
  const first = postgres(withoutTlsParameters(url), {
    max,
    ssl: tlsOptions(url),
    connect_timeout: 10,
    // The driver's own wait grows to 20 s, during which every query hangs although the server is back.
    backoff: (attempts) => Math.min(1, 0.01 * 2 ** attempts),
    connection: { application_name: `${applicationName} ${processTag}` },
    onnotice: () => undefined,
    onclose: (connection) => log?.debug({ connection, applicationName }, 'database connection closed'),
  });
  const { sql, health } = openPool({ first, family: newFamily(watch, log), name: mainName });
  return {
    sql,
    db: drizzle(sql, { schema }),
    health,
    close: () => sql.end({ timeout: closeSeconds }),
  };
}

/** The driver would send parameters it doesn't know to the server, which refuses them. */
function withoutTlsParameters(url: string): string {
  const bare = new URL(url);
  for (const name of tlsParameters) bare.searchParams.delete(name);
  return bare.href;
}

/** What a database address asks of TLS, in the driver's terms. Exported for its table test. */
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
      // libpq: with a root certificate at hand, require verifies the chain as verify-ca does.
      return ca === undefined
        ? { ...certificates, rejectUnauthorized: false }
        : { ...certificates, rejectUnauthorized: true, checkServerIdentity: () => undefined };
    case 'verify-ca':
      return { ...certificates, rejectUnauthorized: true, checkServerIdentity: () => undefined };
    case 'verify-full':
      // The driver names no server when the host is an address; Node would then verify "localhost".
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
 * Ends the name of every session of this process in pg_stat_activity: its id and a random part, since in containers every process may have
 * the id 1.
 */
export const processTag = `#${process.pid}-${randomBytes(3).toString('hex')}`;

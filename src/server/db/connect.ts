import { readFileSync } from 'node:fs';
import { checkServerIdentity, type ConnectionOptions } from 'node:tls';
import { randomBytes } from 'node:crypto';
import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js';
import postgres from 'postgres';
import type { Log } from '../log.ts';
import { parseDatabaseUrl } from './databaseUrl.ts';
import { mainName, newFamily, openPool, openWith, replicaName, type Sql } from './pool.ts';
import type { DatabaseHealth, WatchTimings } from './poolWatchdog.ts';
import * as schema from './schema/index.ts';

/** Drizzle over the pool; `$client` is the pool itself. */
export type Database = PostgresJsDatabase<typeof schema> & { $client: Sql };
/** The database or a transaction of it. */
export type Queryable = PostgresJsDatabase<typeof schema>;
export type { Sql };

export interface Connection {
  /** The pool, for what drizzle lacks (listen, begin, copy). Timestamps are text, as drizzle replaces its parsers. */
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
  /** Where side connections go, which need a session of their own, if the pool's URL leads to a proxy. */
  directUrl?: string | null;
  /** false: no statement gets a name, for a proxy that gives each transaction another session. */
  prepare?: boolean;
  /** A server that only reads: of several hosts, any will do, and its state isn't the database's. */
  isReplica?: boolean;
  /** For pools that live as long as the process: probes them, and replaces one that is silent for 30 s. */
  watch?: boolean | Partial<WatchTimings>;
}

/** Options of the driver that follow from a database URL's hosts. */
interface Place extends Partial<Pick<Sql['options'], 'host' | 'port' | 'path' | 'target_session_attrs'>> {
  bareUrl: string;
}

const tlsParameters = ['sslmode', 'ssl', 'sslrootcert', 'sslcert', 'sslkey'] as const;

/**
 * Opens a pool for a `postgres://` URL. TLS follows libpq's parameters: `sslmode` disable, prefer (the default: TLS if
 * the server has it), require (encrypts, and verifies nothing unless `sslrootcert` is set), verify-ca, verify-full;
 * `sslrootcert`, `sslcert` and `sslkey` name PEM files. Server notices are dropped. Throws if the URL or a certificate
 * file is invalid. An unreachable server fails the first query, within ten seconds per host. Several hosts are tried in
 * their order, the one that answered last first; unless `target_session_attrs` says otherwise, one that accepts writes.
 */
export function connect(
  url: string,
  {
    applicationName,
    max = 10,
    log,
    closeSeconds = 5,
    watch = false,
    directUrl = null,
    prepare = true,
    isReplica = false,
  }: ConnectOptions,
): Connection {
  const open = (at: string): Sql => {
    const { bareUrl, ...where } = getPlace(at, isReplica);
    const options = {
      max,
      prepare,
      // A pooler may give the session to another client between a statement's description and the statement itself.
      max_pipeline: prepare && directUrl === null ? 100 : 0,
      ssl: tlsOptions(at),
      connect_timeout: 10,
      // The driver's own delay grows to 20 s, during which every query hangs although the server is back.
      backoff: (attempts: number) => Math.min(1, 0.01 * 2 ** attempts),
      connection: { application_name: `${applicationName} ${processTag}` },
      onnotice: () => undefined,
      onclose: (connection: number) =>
        log?.debug(
          { event: 'database.connection-closed', connection, applicationName },
          'database connection closed',
        ),
    };
    return openWith(postgres(bareUrl, options), {}, where);
  };
  const family = newFamily(watch, log, directUrl === null ? null : open(directUrl));
  const { sql, health } = openPool({ first: open(url), family, name: isReplica ? replicaName : mainName });
  return {
    sql,
    db: drizzle(sql, { schema }),
    health,
    close: () => sql.end({ timeout: closeSeconds }),
  };
}

/**
 * The hosts of a database URL as the driver takes them, and the URL without them. The driver reads neither several
 * hosts with IPv6 addresses nor libpq's `any`, and would send the TLS parameters to the server, which refuses them.
 */
function getPlace(text: string, isReplica: boolean): Place {
  const { hosts, url } = parseDatabaseUrl(text);
  const needsChoice = hosts.length > 1 && !isReplica;
  const attributes = url.searchParams.get('target_session_attrs') ?? (needsChoice ? 'read-write' : 'any');
  for (const name of [...tlsParameters, 'target_session_attrs']) url.searchParams.delete(name);
  const [first] = hosts;
  if (first === undefined) return { bareUrl: url.href };
  const folder = /^%2f/i.test(first.host) ? decodeURIComponent(first.host) : null;
  return {
    bareUrl: url.href,
    host: hosts.map(({ host }) => host.replace(/^\[|\]$/g, '')),
    port: hosts.map(({ port }) => port),
    ...(folder === null ? {} : { path: `${folder}/.s.PGSQL.${first.port}` }),
    ...(attributes === 'any' ? {} : { target_session_attrs: toAttributes(attributes) }),
  };
}

const sessionAttributes = ['read-write', 'read-only', 'primary', 'standby', 'prefer-standby'] as const;

function toAttributes(text: string): (typeof sessionAttributes)[number] {
  const known = sessionAttributes.find((each) => each === text);
  if (known === undefined)
    throw new Error(
      `DATABASE_URL: target_session_attrs "${text}" is not one of any, ${sessionAttributes.join(', ')}`,
    );
  return known;
}

/** The TLS options of a database URL for the driver. Exported for its test. */
export function tlsOptions(url: string): false | 'prefer' | ConnectionOptions {
  const {
    hosts,
    url: { searchParams },
  } = parseDatabaseUrl(url);
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
      // The driver passes no server name if the host is an address; Node would then verify "localhost". Of several
      // hosts, the certificate has to name one.
      return {
        ...certificates,
        rejectUnauthorized: true,
        checkServerIdentity: (name, peer) => {
          const results = hosts.map(({ host }) => checkServerIdentity(host.replace(/^\[|\]$/g, ''), peer));
          return results.includes(undefined) ? undefined : (results[0] ?? checkServerIdentity(name, peer));
        },
      };
    default:
      throw new Error(
        `DATABASE_URL: sslmode "${mode}" is not one of disable, allow, prefer, require, verify-ca, verify-full`,
      );
  }
}

/** Ends the name of this process's sessions in pg_stat_activity. Random, as every container's process may have id 1. */
export const processTag = `#${process.pid}-${randomBytes(3).toString('hex')}`;

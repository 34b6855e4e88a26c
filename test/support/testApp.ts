import { once } from 'node:events';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import type { Server } from 'node:net';
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseConfig } from '#server/config/config.ts';
import { createHttpServer } from '#server/http/httpServer.ts';
import { createApp } from '#server/app.ts';
import { connect } from '#server/db/connect.ts';
import { createDatabaseClock } from '#server/db/databaseClock.ts';
import type { WatchTimings } from '#server/db/poolWatchdog.ts';
import { createLog } from '#server/log.ts';
import { startMaintenance } from '#server/background/maintenance.ts';
import { mailRenderer } from '#server/render/bundle.ts';
import { type BaseServices, createServices } from '#server/createServices.ts';
import { startWorker } from '#server/background/worker.ts';
import { builtBundle } from './builtBundle.ts';
import { testDb, type TestDb } from './testDb.ts';
import { testSecret } from './testKeys.ts';
import { waitUntil } from './waitFor.ts';

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  /** Raw bytes as sent, still compressed. */
  body: Buffer;
  text: string;
  json: () => unknown;
}

export interface Client {
  get: (path: string, headers?: Record<string, string>) => Promise<Answer>;
  /**
   * Objects are sent as JSON, strings as they are. Those with a form's token have the Origin that a browser sends, unless
   * the headers say otherwise; `{ origin: '' }` makes them a script's.
   */
  post: (path: string, body: unknown, headers?: Record<string, string>) => Promise<Answer>;
  request: (
    method: string,
    path: string,
    options?: { headers?: Record<string, string>; body?: string | Buffer },
  ) => Promise<Answer>;
}

export interface TestApp extends Client, AsyncDisposable {
  url: string;
  port: number;
  services: BaseServices;
  db: TestDb['db'];
  sql: TestDb['sql'];
  database: TestDb;
  /** Resolves once the application serves this host. It learns of a new provider by a notification of the database. */
  knows: (host: string | { domain: string | null }) => Promise<void>;
  /** A client of the same server with another Host. */
  as: (host: string | { domain: string | null }) => Client;
}

export interface TestAppOptions {
  env?: Record<string, string>;
  now?: () => Date;
  /** The machine's clock, which the database's clock corrects. */
  systemNowMs?: () => number;
  /** Another app's database, for a second process of the same site. */
  database?: TestDb;
  /** Another URL of the database for the application, for example through a proxy of the test. */
  url?: string;
  /** Monitors the database's health with these intervals. */
  watch?: Partial<WatchTimings>;
  /** The minimum age of a form's token. By default the product's limit. */
  formMinAgeMs?: number;
  /** Requests of one session or token. By default the product's limit. */
  staffRequestsPerMinute?: number;
  /** Runs the background work too, with a quick look for what is due. `{}` has the product's interval. */
  worker?: boolean | { pollMs?: number };
}

/** Of applications that were stopped. The next one has the same origin, whose files and code a browser keeps. */
const freePorts: number[] = [];

/** Resolves with the port. It is a new one if another process has taken the free one since. */
async function listen(server: Server): Promise<number> {
  const tried = freePorts.pop() ?? 0;
  try {
    server.listen(tried, '127.0.0.1');
    await once(server, 'listening');
  } catch (error) {
    if (tried === 0) throw error;
    return listen(server);
  }
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the test server has no port');
  return address.port;
}

/**
 * The whole application on a free port with a private copy of the migrated template database. Limits are off unless a
 * test sets them.
 */
export async function testApp({
  env = {},
  now,
  systemNowMs,
  database,
  url,
  watch,
  formMinAgeMs,
  staffRequestsPerMinute,
  worker = false,
}: TestAppOptions = {}): Promise<TestApp> {
  const own = database ?? (await testDb());
  const config = parseConfig({
    SECRET_KEYS: testSecret,
    RATE_LIMIT_LEADS: 'off',
    LOG_LEVEL: 'silent',
    SAMPLE_DATA: 'off',
    MAP_TILES_URL: 'off',
    // Created at the first write.
    DATA_DIR: join(tmpdir(), `test-app-${randomUUID()}`),
    ...env,
  });
  const connection = connect(url ?? own.url, {
    applicationName: 'test-app',
    max: 10,
    directUrl: config.databaseDirectUrl,
    prepare: config.databasePrepare,
    ...(watch === undefined ? {} : { watch }),
  });
  const replica =
    config.databaseReplicaUrl === null
      ? null
      : connect(config.databaseReplicaUrl, {
          applicationName: 'test-app-replica',
          isReplica: true,
          ...(watch === undefined ? {} : { watch }),
        });
  const log = createLog(config.logLevel);
  const clock = systemNowMs === undefined ? null : createDatabaseClock({ sql: own.sql, log, systemNowMs });
  await clock?.sync();
  const bundle = await builtBundle();
  const services = createServices({
    config,
    connection,
    replica,
    log,
    renderMail: mailRenderer(bundle),
    ...(clock === null ? {} : { now: clock.now }),
    ...(now === undefined ? {} : { now }),
    ...(formMinAgeMs === undefined ? {} : { formMinAgeMs }),
    ...(staffRequestsPerMinute === undefined ? {} : { staffRequestsPerMinute }),
  });
  await services.tenants.start();
  const server = createHttpServer();
  const port = await listen(server);
  config.port = port;
  const handle = createApp(services, bundle).callback();
  server.on('request', (request, response) => void handle(request, response));
  const stopMaintenance = startMaintenance(services);
  const stopWorker =
    worker === false ? null : await startWorker(services, worker === true ? { pollMs: 50 } : worker);
  const main = client(port, 'localhost');
  return {
    ...main,
    url: `http://localhost:${port}`,
    port,
    services,
    db: own.db,
    sql: own.sql,
    database: own,
    knows: async (host) => {
      await waitUntil(() => services.tenants.hasHost(getHost(host)), { interval: 5 });
    },
    as: (host) => client(port, getHost(host)),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      freePorts.push(port);
      await stopWorker?.();
      await stopMaintenance();
      await services.tenants.stop();
      services.mail.mailer.close();
      clock?.stop();
      await connection.close();
      await replica?.close();
      // In production, built files are still being copied there.
      if (env['DATA_DIR'] === undefined)
        await rm(config.dataDir, { recursive: true, force: true, maxRetries: 10 });
      if (database === undefined) await own[Symbol.asyncDispose]();
    },
  };
}

function getHost(host: string | { domain: string | null }): string {
  return typeof host === 'string' ? host : (host.domain ?? '');
}

/** Node's client needs the length of a DELETE's body to send it. */
function countLength(
  body: string | Buffer | undefined,
  headers: Record<string, string>,
): Record<string, string> {
  return body === undefined || 'transfer-encoding' in headers
    ? {}
    : { 'content-length': String(Buffer.byteLength(body)) };
}

function hasFormToken(body: unknown): boolean {
  if (typeof body === 'string') return new URLSearchParams(body).has('token');
  return typeof body === 'object' && body !== null && 'token' in body;
}

/** Sends requests with this Host to a port of this machine. */
export function client(port: number, host: string): Client {
  const request: Client['request'] = (method, path, { headers = {}, body } = {}) =>
    new Promise((resolve, reject) => {
      const outgoing = httpRequest(
        {
          host: '127.0.0.1',
          port,
          method,
          path,
          headers: { host: `${host}:${port}`, ...countLength(body, headers), ...headers },
          agent: false,
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            const bytes = Buffer.concat(chunks);
            const text = bytes.toString('utf8');
            resolve({
              status: response.statusCode ?? 0,
              headers: response.headers,
              body: bytes,
              text,
              json: () => JSON.parse(text) as unknown,
            });
          });
        },
      );
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  return {
    request,
    get: (path, headers = {}) => request('GET', path, { headers }),
    post: (path, body, headers = {}) => {
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      const isForm = hasFormToken(body) && !('origin' in headers) && !('sec-fetch-site' in headers);
      return request('POST', path, {
        headers: {
          'content-type': 'application/json',
          'content-length': String(Buffer.byteLength(text)),
          ...(isForm ? { origin: `http://${host}:${port}` } : {}),
          ...headers,
        },
        body: text,
      });
    },
  };
}

import type { Server } from 'node:http';
import { flushCompileCache } from 'node:module';
import type Koa from 'koa';
import type { Config } from './config/config.ts';
import { configOrExit } from './config/configOrExit.ts';
import { createApp } from './app.ts';
import type { Database } from './db/connect.ts';
import { createDatabaseClock } from './db/databaseClock.ts';
import { requireDriverPatch } from './db/driverPatch.ts';
import { closeGracefully, createHttpServer, type Address, listen } from './http/httpServer.ts';
import { continueNumbers } from './features/ledger/noteLedger.ts';
import { createStartingApp } from './startup/startingApp.ts';
import { withLocalPassword, withLocalSecrets } from './config/localSecrets.ts';
import { createLog, type Log } from './log.ts';
import { appInfo } from './metrics.ts';
import { startMaintenance, storeLastCounts } from './background/maintenance.ts';
import { type Bundle, loadBundle, mailRenderer } from './render/bundle.ts';
import { createServices } from './createServices.ts';
import type { AppState } from './tenant/tenant.ts';
import { untilReachable } from './db/startFault.ts';
import { openConnections } from './startup/openConnections.ts';
import { startWorker } from './background/worker.ts';
import { prepareDatabase } from './startup/prepareDatabase.ts';
import { version } from './version.ts';
import { printBanner } from './startup/startupBanner.ts';
import { createWorkerApp } from './startup/workerApp.ts';

export type Mode = 'web' | 'worker' | 'dev';

/** A Postgres server that this process runs. */
interface OwnDatabase {
  url: string;
  /** Its data folder, for the welcome message. */
  description: string;
  stop: () => Promise<void>;
}

interface ServeOptions {
  /** Starts Postgres if DATABASE_URL is not set. Only scripts/start.ts passes it. */
  startDatabase?: (config: Config, log: Log) => Promise<OwnDatabase>;
  /** Inserts sample providers into an empty database. Only scripts/start.ts and scripts/dev/server.ts pass it. */
  seed?: (db: Database) => Promise<{ inserted: number }>;
  startedAtMs?: number;
  /** Called with each part of the start, as a line for a person. Only the scripts that npm runs pass it. */
  say?: (line: string) => void;
  /** Of mode `dev`: what its parent process (scripts/dev.ts) runs for it. */
  development?: DevelopmentStart;
}

interface DevelopmentStart {
  /** Where Vite answers. */
  viteSocket: string;
  /** The database's place, for the welcome message. */
  database: string;
  /** It takes the place of a process that has welcomed already. */
  isRestart: boolean;
}

/**
 * After the configured delay: five seconds for open requests (httpServer.ts), in parallel six for background work
 * (worker.ts), then two for the database, and a margin. Production's delay of five seconds makes it fifteen.
 */
const stopMaxMs = 10_000;

/**
 * Runs one process: `web` serves HTTP, `dev` with hot reload, `worker` does background work and serves health and
 * metrics. Waits for Postgres. A failed start prints the reason, stops what was started and exits with status 1.
 */
export async function serve(mode: Mode, options: ServeOptions = {}): Promise<void> {
  const config = configOrExit();
  appInfo.set({ version, mode }, 1);
  const log = createLog(config.logLevel, mode);
  const running = new AsyncDisposableStack();
  const stopping = new AbortController();
  const starting = start(mode, { ...options, config, log, running, signal: stopping.signal });
  const hasParent = options.development !== undefined;
  // Handled from the beginning: a start in progress finishes, a wait ends, then everything is stopped in order.
  onStopSignal({ config, log, hasParent }, async () => {
    stopping.abort();
    await starting.catch(() => undefined);
    await running.disposeAsync();
  });
  try {
    await starting;
  } catch (error) {
    if (stopping.signal.aborted) return;
    process.stderr.write(`${toSentence(error)}\n`);
    await running.disposeAsync();
    process.exit(1);
  }
}

/** Some network errors have a code and no message. */
function toSentence(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || ('code' in error ? String(error.code) : error.name);
}

interface StartInput extends ServeOptions {
  config: Config;
  log: Log;
  /** What must be stopped, in reverse order of the start. */
  running: AsyncDisposableStack;
  /** Aborted when the process must stop. */
  signal: AbortSignal;
}

async function start(
  mode: Mode,
  {
    config: given,
    log,
    running,
    signal,
    startDatabase,
    seed,
    startedAtMs = performance.timeOrigin,
    say = () => undefined,
    development,
  }: StartInput,
): Promise<void> {
  requireDriverPatch(given, log);
  const { config, adminPassword } = await withLocalPassword(await withLocalSecrets(given));
  if (config.databaseUrl === null) say('Starting Postgres');
  const ownDatabase = config.databaseUrl === null ? ((await startDatabase?.(config, log)) ?? null) : null;
  running.defer(async () => ownDatabase?.stop());
  const url = ownDatabase?.url ?? config.databaseUrl;
  if (url === null)
    throw new Error(
      'DATABASE_URL is not set. Set it to a Postgres server, or run npm start, which starts one.',
    );
  const server = createHttpServer();
  say('Loading the pages');
  const bundle = await loadBundle(development && { server, viteSocket: development.viteSocket });
  // Requests and background work stop in parallel, before what both need.
  const sideBySide: (() => Promise<void>)[] = [];
  const address = getAddress(mode, config);
  const web = startWeb(server, { config, log, bundle, signal, address });
  const reach = { url, log, signal, onWaiting: web.listen };
  running.defer(web.stop);
  say('Preparing the database');
  const { applied } = await untilReachable(
    () =>
      prepareDatabase({
        url,
        directUrl: config.databaseDirectUrl,
        ownerUrl: config.databaseOwnerUrl,
        migrates: config.migrateOnStart,
        log,
        signal,
      }),
    reach,
  );
  const { connection, replica, close } = openConnections({ config, url, mode, log });
  running.defer(close);
  const clock = createDatabaseClock({ sql: connection.sql, log });
  running.defer(clock.stop);
  await untilReachable(clock.sync, reach);
  const seeded =
    config.sampleData && seed !== undefined
      ? (await untilReachable(() => seed(connection.db), reach)).inserted
      : 0;
  say('Starting the server');
  const services = createServices({
    config,
    connection,
    replica,
    log,
    renderMail: mailRenderer(bundle),
    now: clock.now,
    stopping: signal,
  });
  running.defer(() => {
    services.mail.mailer.close();
    services.mail.alertMailer.close();
  });
  running.defer(services.tenants.stop);
  await untilReachable(() => Promise.race([services.tenants.start(), aborted(signal)]), reach);
  await continueNumbers(services);
  // What requests counted after maintenance had stopped.
  running.defer(() => storeLastCounts(services));
  running.defer(async () => void (await Promise.all(sideBySide.map((stop) => stop()))));
  sideBySide.push(startMaintenance(services));
  if (mode === 'worker' || config.worker === 'inline')
    sideBySide.push(await untilReachable(() => startWorker(services), reach));
  const isStopping = (): boolean => signal.aborted;
  if (mode === 'worker') {
    // It stops last, and says until then that the process is stopping.
    web.answerWith(createWorkerApp(services, { isStopping }), { delayMs: 0 });
  } else {
    sideBySide.push(web.stop);
    // Before that, no load balancer sends traffic.
    web.answerWith(createApp(services, bundle, { isStopping }), {
      delayMs: config.shutdownDelaySeconds * 1_000,
    });
    await services.providers.mapViews.warm().catch((error: unknown) => {
      log.debug(
        { event: 'map.warm-failed', err: error },
        'the map of the network is made while requests are served',
      );
    });
  }
  await web.listen();
  if (config.production)
    log.info({ event: 'process.ready', port: address.port, migrations: applied }, 'ready');
  else if (development?.isRestart !== true) {
    const readyMs = Date.now() - startedAtMs;
    const database = ownDatabase?.description ?? development?.database ?? 'DATABASE_URL';
    await printBanner({ mode, config, adminPassword, db: connection.db, database, applied, seeded, readyMs });
  }
  // By default it is written only at a normal exit, and a killed process has none.
  flushCompileCache();
  // Signals to a process manager that the process is ready for traffic (pm2's convention).
  process.send?.('ready');
}

/** Rejects when the process must stop. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(new Error('stopped'));
    signal.addEventListener('abort', () => reject(new Error('stopped')), { once: true });
  });
}

function getAddress(mode: Mode, { port, metricsPort }: Config): Address {
  return mode === 'worker' ? { port: metricsPort, variable: 'METRICS_PORT' } : { port, variable: 'PORT' };
}

interface WebOptions {
  config: Config;
  log: Log;
  bundle: Bundle;
  signal: AbortSignal;
  address: Address;
}

function startWeb(server: Server, { config, log, bundle, signal, address }: WebOptions) {
  let handle: ReturnType<Koa<AppState>['callback']> | null = null;
  let delayMs = 0;
  let listening: Promise<void> | null = null;
  let stopped: Promise<void> | null = null;
  server.on('request', (request, response) => {
    // A busy keep-alive connection would outlast the drain and be closed in the middle of a request.
    if (signal.aborted) response.setHeader('Connection', 'close');
    handle ??= createStartingApp({
      config,
      log,
      bundle: address.variable === 'PORT' ? bundle : null,
      isStopping: () => signal.aborted,
    }).callback();
    void handle(request, response);
  });
  return {
    /** Sets the handler of requests, and how long it accepts more when it stops; before, nearly everything is 503. */
    answerWith(app: Koa<AppState>, options: { delayMs: number }): void {
      handle = app.callback();
      ({ delayMs } = options);
    },
    /** Listens once; later calls wait for the first. Throws if the port is in use. */
    listen: (): Promise<void> => (listening ??= listen(server, config.host, address)),
    stop: (): Promise<void> =>
      (stopped ??= (async () => {
        // Before the server: in development each open page has a WebSocket, and the server would wait for it forever.
        await bundle.close();
        await closeGracefully(server, { delayMs });
      })()),
  };
}

interface StopOptions {
  config: Config;
  log: Log;
  /** A terminal's Ctrl-C reaches the parent and this process, and the parent then stops it: that is no second signal. */
  hasParent: boolean;
}

/** The first signal stops in order; a second one, or a stop that takes too long, exits immediately. */
function onStopSignal({ config, log, hasParent }: StopOptions, stop: () => Promise<void>): void {
  let stopping = false;
  const handle = (): void => {
    if (stopping) {
      if (!hasParent) process.exit(1);
      return;
    }
    stopping = true;
    // An embedded database may take longer to stop and must not be left running.
    if (config.databaseUrl !== null)
      setTimeout(
        () => {
          log.error(
            { event: 'process.stop-late' },
            'stopping took too long; the process ends with work under way',
          );
          process.exit(1);
        },
        config.shutdownDelaySeconds * 1_000 + stopMaxMs,
      );
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ event: 'process.stop-failed', err: error }, 'stopping failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', handle);
  process.on('SIGINT', handle);
}

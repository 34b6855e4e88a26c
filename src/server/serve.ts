import { existsSync } from 'node:fs';
import type { Server } from 'node:http';
import { flushCompileCache } from 'node:module';
import { type Config, ConfigError, parseConfig } from './config.ts';
import { createApp } from './app.ts';
import { connect, type Database } from './db/connect.ts';
import { requireDriverPatch } from './db/driverPatch.ts';
import { startEmbedded } from './db/embedded.ts';
import { migrate } from './db/migrate.ts';
import { loadZipTable } from './features/matching/zipTable.ts';
import { createHttpServer } from './http/httpServer.ts';
import { withLocalPassword, withLocalSecrets } from './localSecrets.ts';
import { createLog, type Log } from './log.ts';
import { startMaintenance } from './maintenance.ts';
import { loadBundle } from './render/bundle.ts';
import { mailDrawer } from './render/rendererOf.ts';
import { createServices } from './services.ts';
import { startWorker } from './worker.ts';
import { welcome } from './welcome.ts';

export type Mode = 'web' | 'worker' | 'dev';

interface ServeOptions {
  /** Fills an empty database with sample clinics; scripts/start.ts and scripts/dev.ts pass it, production does not. */
  seed?: (db: Database) => Promise<{ inserted: number }>;
  startedAtMs?: number;
}

const drainMs = 10_000;

/** Reads the configuration, or says everything that is wrong with it and ends the process. */
export function configOrExit(): Config {
  if (existsSync('.env')) process.loadEnvFile('.env');
  try {
    return parseConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\nEvery variable is explained in .env.example.\n`);
    return process.exit(1);
  }
}

/**
 * Runs one process: `web` answers HTTP, `dev` does so with hot reload, `worker` only does the background work. A start that fails says why in
 * a sentence, stops what it had begun (the embedded Postgres above all) and ends the process with status 1.
 */
export async function serve(mode: Mode, options: ServeOptions = {}): Promise<void> {
  const config = configOrExit();
  const log = createLog(config.logLevel);
  const running = new AsyncDisposableStack();
  const starting = start(mode, { ...options, config, log, running });
  // Heard from the first moment: a start under way comes to its end, then everything is stopped in order.
  onStopSignal(log, async () => {
    await starting.catch(() => undefined);
    await running.disposeAsync();
  });
  try {
    await starting;
  } catch (error) {
    process.stderr.write(`${sentenceOf(error)}\n`);
    await running.disposeAsync();
    process.exit(1);
  }
}

/** Some errors of the network carry a code and no message. */
function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || ('code' in error ? String(error.code) : error.name);
}

interface StartInput extends ServeOptions {
  config: Config;
  log: Log;
  /** What is to be stopped, last begun first. */
  running: AsyncDisposableStack;
}

async function start(
  mode: Mode,
  { config: given, log, running, seed, startedAtMs = performance.timeOrigin }: StartInput,
): Promise<void> {
  requireDriverPatch(given, log);
  const { config, adminPassword } = await withLocalPassword(await withLocalSecrets(given));
  const embedded = config.databaseUrl === null ? await startEmbedded({ dataDir: config.dataDir, log }) : null;
  running.defer(async () => embedded?.stop());
  const url = embedded?.url ?? config.databaseUrl ?? '';
  const { applied } = await migrate(url, { zipTable: loadZipTable(), log });
  const applicationName = `clinic-leads-${mode}`;
  const connection = connect(url, { applicationName, max: config.databasePoolSize, log, watch: true });
  running.defer(connection.close);
  const seeded = config.sampleData && seed !== undefined ? (await seed(connection.db)).inserted : 0;
  const server = createHttpServer();
  const bundle = await loadBundle(mode === 'dev' ? { development: server } : {});
  const services = createServices({ config, connection, log, drawMail: mailDrawer(bundle) });
  running.defer(() => services.mail.mailer.close());
  running.defer(services.tenants.stop);
  await services.tenants.start();
  running.defer(startMaintenance(services));
  if (mode === 'worker' || config.worker === 'inline') running.defer(await startWorker(services));

  if (mode !== 'worker') {
    const handle = createApp(services, bundle).callback();
    server.on('request', (request, response) => {
      // A connection that is kept alive and busy would outlast the drain and be cut in the middle of a request.
      if (!server.listening) response.setHeader('Connection', 'close');
      void handle(request, response);
    });
    running.defer(() => close(server));
    // Closed before the server: in development every open page holds a WebSocket, and the server would wait for it for ever.
    running.defer(bundle.close);
    await listen(server, config);
  }
  if (config.production) log.info({ mode, port: config.port, migrations: applied }, 'ready');
  else {
    const readyMs = Date.now() - startedAtMs;
    await welcome({ mode, config, adminPassword, db: connection.db, embedded, applied, seeded, readyMs });
  }
  // Otherwise it is written by a process that ends of itself, which one that is killed never does.
  flushCompileCache();
  // A process manager that listens (pm2's convention) learns that traffic may come.
  process.send?.('ready');
}

function listen(server: Server, { port, host }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        error.code === 'EADDRINUSE'
          ? new Error(`Port ${port} is taken. Stop what uses it or set PORT.`)
          : error,
      );
    });
    server.listen(port, host, resolve);
  });
}

/** Takes no new connections, lets answers under way finish, and cuts what is left after drainMs. */
async function close(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  const cut = setTimeout(() => server.closeAllConnections(), drainMs);
  await closed;
  clearTimeout(cut);
}

/** First signal: stop in order. Second: at once. */
function onStopSignal(log: Log, stop: () => Promise<void>): void {
  let stopping = false;
  const handle = (): void => {
    if (stopping) process.exit(1);
    stopping = true;
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'stopping failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', handle);
  process.on('SIGINT', handle);
}

import { flushCompileCache } from 'node:module';
import path from 'node:path';
import { enableCompiledCode } from '#server/startup/compileCache.ts';
import { beforeStart, say } from './beforeStart.ts';
import type { ServerRuns } from './dev/serverRuns.ts';

/** Long enough for an editor that saves all of its files, or for git. */
const quietMs = 100;
const startedAtMs = Date.now();
const root = path.resolve(import.meta.dirname, '..');

/** Whether the server loads it. Tests and the temporary files of editors are not part of it. */
function isServerFile(file: string): boolean {
  return /^src\/(?:server|shared)\/.*\.(?:tsx?|sql|txt|svg)$/.test(file) && !/\.test\.tsx?$/.test(file);
}

/** Calls back with the files that changed, once nothing has changed for a moment. */
function collectChanges(onChanges: (files: string[]) => void): (file: string) => void {
  const files = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  return (file) => {
    if (!isServerFile(file)) return;
    files.add(file);
    clearTimeout(timer);
    timer = setTimeout(() => {
      const changed = [...files];
      files.clear();
      onChanges(changed);
    }, quietMs);
  };
}

/**
 * `npm run dev`: this process runs Vite and the embedded Postgres. The server is a process of its own (dev/server.ts),
 * which is replaced when one of its files changes. A signal to either of them stops everything.
 */
async function main(): Promise<void> {
  const inherited = { ...process.env };
  const config = await beforeStart();
  // Each start of the server reads .env again.
  for (const name of Object.keys(process.env)) if (inherited[name] === undefined) delete process.env[name];
  const { createLog } = await import('#server/log.ts');
  const { createServerRuns } = await import('./dev/serverRuns.ts');
  const { startViteServer } = await import('./dev/viteServer.ts');
  const { startEmbedded } = await import('./embeddedPostgres/start.ts');

  const running = new AsyncDisposableStack();
  let runs: ServerRuns | null = null;
  let stopping: Promise<void> | null = null;
  const stop = (status: number): void => {
    if (stopping !== null) return;
    stopping = starting.catch(() => undefined).then(() => running.disposeAsync());
    stopping.then(
      () => process.exit(status),
      () => process.exit(1),
    );
  };
  const onSignal = (): void => {
    if (stopping !== null) {
      runs?.kill();
      process.exit(1);
    }
    stop(0);
  };
  const start = async (): Promise<void> => {
    let environment = {};
    let database = 'DATABASE_URL';
    if (config.databaseUrl === null) {
      say('Starting Postgres');
      const own = await startEmbedded({ dataDir: config.dataDir, log: createLog(config.logLevel, 'dev') });
      running.defer(own.stop);
      ({ description: database } = own);
      environment = { DATABASE_URL: own.url };
    }
    say('Starting Vite');
    const vite = await startViteServer({
      root,
      dataDir: config.dataDir,
      onChange: collectChanges((files) => runs?.run(files)),
    });
    running.defer(vite.close);
    runs = createServerRuns({
      start: { startedAtMs, viteSocket: vite.socket, database },
      environment,
      onReady() {
        flushCompileCache();
        process.send?.('ready');
      },
      onEnd: () => stop(0),
    });
    running.defer(runs.stop);
    runs.run([]);
  };
  const starting = start();
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  try {
    await starting;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    stop(1);
  }
}

enableCompiledCode();
await main();

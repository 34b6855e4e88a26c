import { request } from 'node:http';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { startEmbedded } from '#scripts/embeddedPostgres/start.ts';
import { serverState } from '#scripts/embeddedPostgres/postmaster.ts';
import { scratchRoot } from './scratchRoot.ts';

/** A Postgres server on which tests may create databases. */
export interface TestServer {
  /** The URL of a user who may create databases. */
  adminUrl: string;
  stop: () => Promise<void>;
}

const folderPrefix = 'clinic-leads-test-';
const dockerWaitMs = 1_000;
const containerWaitMs = 180_000;

/**
 * TEST_DATABASE_URL, otherwise a container if a Docker engine answers within a second, otherwise the embedded server in
 * a private folder.
 */
export async function startTestServer(): Promise<TestServer> {
  const given = process.env['TEST_DATABASE_URL'];
  if (given !== undefined && given !== '') return { adminUrl: given, stop: () => Promise.resolve() };
  if (await dockerAnswers()) {
    try {
      return await startContainer();
    } catch (error) {
      process.stderr.write(
        `A Docker engine answers but gave no Postgres (${error instanceof Error ? error.message : String(error)}); using the embedded one.\n`,
      );
    }
  }
  return startPrivate();
}

function dockerAnswers(): Promise<boolean> {
  const host = URL.parse(process.env['DOCKER_HOST'] ?? 'unix:///var/run/docker.sock');
  if (host === null || host.protocol === 'ssh:' || host.protocol === 'npipe:') return Promise.resolve(false);
  const target =
    host.protocol === 'unix:' ? { socketPath: host.pathname } : { host: host.hostname, port: host.port };
  return new Promise((resolve) => {
    const ping = request({ ...target, path: '/_ping', timeout: dockerWaitMs }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    ping.on('timeout', () => ping.destroy());
    ping.on('error', () => resolve(false));
    ping.on('close', () => resolve(false));
    ping.end();
  });
}

async function startContainer(): Promise<TestServer> {
  const { PostgreSqlContainer } = await import('@testcontainers/postgresql');
  const starting = new PostgreSqlContainer('postgres:18-alpine')
    .withEnvironment({
      POSTGRES_INITDB_ARGS: '--locale=C --locale-provider=builtin --builtin-locale=C.UTF-8',
    })
    .withCommand([
      'postgres',
      '-c',
      'fsync=off',
      '-c',
      'synchronous_commit=off',
      '-c',
      'full_page_writes=off',
      '-c',
      'max_connections=300',
    ])
    .start();
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new Error(`no container within ${containerWaitMs / 1000} s`)),
    containerWaitMs,
  );
  try {
    const container = await Promise.race([starting, late]);
    return {
      adminUrl: `${container.getConnectionUri()}?sslmode=disable`,
      stop: async () => void (await container.stop()),
    };
  } finally {
    clearTimeout(timer);
  }
}

async function startPrivate(): Promise<TestServer> {
  await sweepKilledRuns();
  const folder = await mkdtemp(join(scratchRoot(), `${folderPrefix}${process.pid}-`));
  // As root, the server runs as its own user, who needs access.
  await chmod(folder, 0o755);
  const server = await startEmbedded({ dataDir: folder, durable: false });
  return {
    adminUrl: server.url,
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
      if (relative(folder, server.location).startsWith('..'))
        await rm(dirname(server.location), { recursive: true, force: true });
    },
  };
}

/** Ends the servers of killed runs and removes their folders. */
async function sweepKilledRuns(): Promise<void> {
  for (const root of new Set([tmpdir(), scratchRoot()]))
    for (const name of await readdir(root)) {
      const owner = name.startsWith(folderPrefix)
        ? Number(name.slice(folderPrefix.length).split('-')[0])
        : Number.NaN;
      if (!Number.isNaN(owner) && sendSignal(owner, 0) === 'ESRCH') await sweep(join(root, name));
    }
}

async function sweep(folder: string): Promise<void> {
  const state = await serverState(join(folder, 'postgres'));
  if ((state.kind === 'ready' || state.kind === 'busy') && state.pid > 0) sendSignal(state.pid, 'SIGQUIT');
  await rm(folder, { recursive: true, force: true, maxRetries: 10 }).catch(() => undefined);
}

function sendSignal(pid: number, signal: 'SIGQUIT' | 0): string | null {
  try {
    process.kill(pid, signal);
    return null;
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : '';
  }
}

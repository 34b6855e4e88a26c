import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { connect } from '#server/db/connect.ts';
import { asAccount } from '#scripts/embeddedPostgres/binaries.ts';
import { choosePlace, type ClusterPlace } from '#scripts/embeddedPostgres/places.ts';
import { ensureCluster, logTail, serverState } from '#scripts/embeddedPostgres/postmaster.ts';
import { scratchRoot } from './scratchRoot.ts';
import { freePort } from './serverProcess.ts';

/** A test's own Postgres server, which keeps its address across restarts. */
export interface RestartablePostgres extends AsyncDisposable {
  url: string;
  /** `fast` ends all sessions and writes all data; `immediate` is a crash, with recovery at the next start. */
  restart: (mode: 'fast' | 'immediate') => Promise<void>;
  /**
   * Kills one session's process (kill -9), like the kernel without free memory. Postgres then ends all sessions and
   * recovers. Resolves when it accepts connections again, with false if the tests had no session.
   */
  killBackend: () => Promise<boolean>;
}

const stopSignals = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const;
const startTimeoutMs = 60_000;
const settings = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'timezone=UTC',
  // Written data survives a crash of Postgres, but not of the machine.
  'fsync=off',
];

export async function startRestartablePostgres(): Promise<RestartablePostgres> {
  const folder = await mkdtemp(join(scratchRoot(), 'clinic-leads-restartable-'));
  // As root, the server runs as its own user, who needs access.
  await chmod(folder, 0o755);
  const place = await choosePlace(folder);
  await ensureCluster(place, false);
  const port = await freePort();
  const url = `postgres://postgres:${place.password}@127.0.0.1:${port}/postgres?sslmode=disable`;
  let server = await startCluster(place, port);

  const stop = async (mode: keyof typeof stopSignals): Promise<void> => {
    const exited = once(server, 'exit');
    server.kill(stopSignals[mode]);
    await exited;
  };
  return {
    url,
    async restart(mode) {
      await stop(mode);
      server = await startCluster(place, port);
    },
    killBackend: () => killBackend(url),
    async [Symbol.asyncDispose]() {
      await stop('immediate');
      await rm(folder, { recursive: true, force: true, maxRetries: 10 });
      if (relative(folder, place.cluster).startsWith('..'))
        await rm(dirname(place.cluster), { recursive: true, force: true });
    },
  };
}

/** Starts the server of a cluster, and retries while processes of a crashed one still end. */
export async function startCluster(
  place: Pick<ClusterPlace, 'cluster' | 'binaries' | 'account' | 'logFile'>,
  port: number,
): Promise<ChildProcess> {
  const deadline = performance.now() + startTimeoutMs;
  const args = ['-D', place.cluster, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])];
  while (performance.now() < deadline) {
    const server = spawn(place.binaries.postgres, args, { ...asAccount(place.account), stdio: 'ignore' });
    while (server.exitCode === null && server.signalCode === null && performance.now() < deadline) {
      const state = await serverState(place.cluster);
      if (state.kind === 'ready' && state.pid === server.pid) return server;
      await delay(10);
    }
    server.kill('SIGQUIT');
  }
  throw new Error(`Postgres did not start:\n${await logTail(place.logFile)}`);
}

async function killBackend(url: string): Promise<boolean> {
  const { sql, close } = connect(url, { applicationName: 'backend-killer', max: 1 });
  const ownPid = async (): Promise<number> => {
    const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
    return row?.pid ?? 0;
  };
  try {
    const pid = await ownPid();
    const [victim] = await sql<{ pid: number }[]>`
      select pid from pg_stat_activity
      where backend_type = 'client backend' and application_name like '%clinic-leads-%'
      order by state = 'active' desc, random() limit 1`;
    if (victim === undefined) return false;
    process.kill(victim.pid, 'SIGKILL');
    // All sessions end, also this one. A new session belongs to the recovered server.
    const deadline = performance.now() + startTimeoutMs;
    while (performance.now() < deadline) {
      if (![0, pid].includes(await ownPid().catch(() => 0))) return true;
      await delay(10);
    }
    throw new Error('Postgres did not recover');
  } finally {
    await close();
  }
}

import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { asAccount } from './binaries.ts';
import type { ClusterPlace } from './places.ts';

const execute = promisify(execFile);

const logSizeMax = 8 * 1024 * 1024;
const stopTimeoutMs = 60_000;

/** What postmaster.pid says, checked against the process table. */
export type ServerState =
  | { kind: 'absent' }
  /** The file of a server that died; its process id may belong to another program now. */
  | { kind: 'stale'; pid: number }
  | { kind: 'busy'; pid: number }
  | { kind: 'ready'; pid: number; port: number };

/**
 * Settings of every start. Failing statements, what they failed on and their parameters stay out of the server's log:
 * they hold contact details.
 */
const settings = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'timezone=UTC',
  'log_timezone=UTC',
  'log_min_messages=log',
  'log_min_error_statement=panic',
  'log_error_verbosity=terse',
  'log_parameter_max_length_on_error=0',
];
/** Of tests: several files at a time share a server, and some of them start ten processes. */
const disposableSettings = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'max_connections=300',
];

const clusterSettings =
  '-U postgres -A scram-sha-256 -E UTF8 --locale=C --locale-provider=builtin --builtin-locale=C.UTF-8';

/**
 * Creates the cluster unless it exists, in a temporary folder that is renamed: one of several starters wins, a killed
 * one leaves no half.
 */
export async function ensureCluster(place: ClusterPlace, durable: boolean): Promise<void> {
  const { cluster, account, major } = place;
  const version = await clusterVersion(cluster);
  if (version === major) return;
  if (version !== null) {
    throw new Error(
      `The database in ${cluster} was made by Postgres ${version}; this version brings Postgres ${major}. Export it with the old version (pg_dump), move the folder away, start, and import.`,
    );
  }
  const temporary = await mkdtemp(`${cluster}.init-`);
  const passwordFile = join(temporary, 'password');
  const made = join(temporary, 'cluster');
  try {
    await writeFile(passwordFile, `${place.password}\n`, { mode: 0o600 });
    if (account !== null) {
      await chown(temporary, account.uid, account.gid);
      await chown(passwordFile, account.uid, account.gid);
    }
    const args = ['-D', made, `--pwfile=${passwordFile}`, ...clusterSettings.split(' ')];
    await execute(place.binaries.initdb, durable ? args : [...args, '--no-sync'], asAccount(account));
    await rename(made, cluster);
  } catch (error) {
    // Another starter was first.
    if ((await clusterVersion(cluster)) === null) {
      const said =
        error instanceof Error ? error.message.trim().split('\n').slice(-3).join('\n') : String(error);
      throw new Error(`The database could not be made in ${cluster}:\n${said}`, { cause: error });
    }
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

async function clusterVersion(cluster: string): Promise<string | null> {
  return readFile(join(cluster, 'PG_VERSION'), 'utf8').then(
    (text) => text.trim(),
    () => null,
  );
}

/** Reads postmaster.pid (lines: pid, data folder, start time, port, socket folder, address, shared memory, status). */
export async function serverState(cluster: string): Promise<ServerState> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => null);
  if (text === null) return { kind: 'absent' };
  const [pidText = '', folder = '', , portText = '', , , , status = ''] = text.split('\n');
  const pid = Number(pidText);
  // The server is just writing the file.
  if (!Number.isInteger(pid) || pid <= 0) return { kind: 'busy', pid: 0 };
  if (!(await isServer(pid, folder.trim()))) return { kind: 'stale', pid };
  const port = Number(portText);
  return status.trim() === 'ready' && port > 0 ? { kind: 'ready', pid, port } : { kind: 'busy', pid };
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/**
 * Whether that process is the server of that folder: after a crash or a reboot the number may belong to anything, a
 * zombie included.
 */
async function isServer(pid: number, folder: string): Promise<boolean> {
  if (!isAlive(pid)) return false;
  if (process.platform === 'win32') return true;
  if (process.platform === 'linux') {
    return readFile(`/proc/${pid}/cmdline`, 'utf8').then(
      (command) => command.split('\0').includes(folder),
      () => false,
    );
  }
  return execute('ps', ['-o', 'command=', '-p', String(pid)]).then(
    ({ stdout }) => stdout.includes(folder),
    () => false,
  );
}

/** The port of the last start; null before the first one. */
export async function lastPort(cluster: string): Promise<number | null> {
  const options = await readFile(join(cluster, 'postmaster.opts'), 'utf8').catch(() => '');
  const port = /"-p" "(\d+)"/.exec(options)?.[1];
  return port === undefined ? null : Number(port);
}

/** A port of 127.0.0.1 that nothing listens on; the preferred one if that is free. */
export async function freePort(preferred: number | null): Promise<number> {
  const probe = createServer();
  probe.listen(preferred ?? 0, '127.0.0.1');
  try {
    await once(probe, 'listening');
  } catch (error) {
    if (preferred !== null) return freePort(null);
    throw error;
  }
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('The system gave no port.');
  return address.port;
}

/**
 * Spawns the server in its own process group (a terminal's Ctrl-C must reach us, not it) without waiting for it.
 * Postgres's own lock file allows one server only: the children of other starters end by themselves.
 */
export async function spawnServer(
  place: ClusterPlace,
  state: ServerState,
  { durable, port }: { durable: boolean; port: number },
): Promise<ChildProcess> {
  await shortenLog(place.logFile);
  const log = await open(place.logFile, 'a', 0o600);
  try {
    const chosen = durable ? settings : [...settings, ...disposableSettings];
    const args = ['-D', place.cluster, '-p', String(port), ...chosen.flatMap((setting) => ['-c', setting])];
    const options = asAccount(place.account);
    // Postgres takes its lock file for stale when it names this process: the number now belongs to a program that is
    // not Postgres.
    const stale = state.kind === 'stale' ? { PG_GRANDPARENT_PID: String(state.pid) } : {};
    const child = spawn(place.binaries.postgres, args, {
      ...options,
      env: { ...(options.env ?? process.env), ...stale },
      detached: true,
      windowsHide: true,
      stdio: ['ignore', log.fd, log.fd],
    });
    await once(child, 'spawn');
    child.unref();
    return child;
  } finally {
    await log.close();
  }
}

async function shortenLog(file: string): Promise<void> {
  const size = await stat(file).then(
    (found) => found.size,
    () => 0,
  );
  if (size > logSizeMax) await rename(file, `${file}.1`);
}

/** The last lines of the server's log, for an error message. */
export async function logTail(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.trimEnd().split('\n').slice(-5).join('\n');
}

/**
 * Fast shutdown: sessions are ended, everything is written; returns when the process is gone. Does nothing when none
 * runs.
 */
export async function shutDown(place: ClusterPlace): Promise<void> {
  const { cluster, binaries, account } = place;
  const state = await serverState(cluster);
  if (state.kind === 'absent' || state.kind === 'stale') return;
  // SIGINT, on Windows too. Not `pg_ctl stop`: it waits for the file, and would wait for a process
  // that starts the server again.
  const kill = execute(binaries.pgCtl, ['kill', 'INT', String(state.pid)], asAccount(account));
  await kill.catch(async (error: unknown) => {
    if (await isServer(state.pid, cluster)) throw error;
  });
  const until = Date.now() + stopTimeoutMs;
  while (await isServer(state.pid, cluster)) {
    if (Date.now() > until)
      throw new Error(`The embedded Postgres (process ${state.pid}) did not stop within a minute.`);
    await delay(10);
  }
}

import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { ChildProcess } from 'node:child_process';
import type { Log } from '#server/log.ts';
import { choosePlace, type ClusterPlace } from './places.ts';
import {
  ensureCluster,
  freePort,
  isAlive,
  lastPort,
  logTail,
  serverState,
  shutDown,
  spawnServer,
} from './postmaster.ts';

export interface EmbeddedPostgres {
  /** With user, password and port; loopback only. */
  url: string;
  /** The cluster's folder. */
  location: string;
  /** For the operator. */
  description: string;
  /** The server was already running: another process started it, or a killed process left it behind. */
  adopted: boolean;
  /** Stops the server and waits until it is gone, if this process owns it. */
  stop: () => Promise<void>;
}

interface StartOptions {
  dataDir: string;
  log?: Log;
  /** false: faster, and a crash of the machine may lose everything. For tests only. */
  durable?: boolean;
  timeoutMs?: number;
}

const spawnsMax = 6;

/**
 * Starts the embedded Postgres of a data folder, or uses the one that runs. The process that started it owns it: it
 * restarts a server that dies, on the same port, and stops it in the end; others that use the server fail with it. A
 * server that a killed owner left behind belongs to the next start. Throws a sentence for the operator when the server
 * does not answer within `timeoutMs`.
 */
export async function startEmbedded({
  dataDir,
  log,
  durable = true,
  timeoutMs = 60_000,
}: StartOptions): Promise<EmbeddedPostgres> {
  const place = await choosePlace(dataDir, log);
  await ensureCluster(place, durable);
  const { port, child } = await untilReady(place, { durable, timeoutMs });
  const isOwner = child !== null || !(await hasOwner(place));
  if (isOwner) await nameOwner(place);
  let isStopping = false;
  let restarting: Promise<void> = Promise.resolve();
  const restart = async (): Promise<void> => {
    log?.warn({ event: 'embedded-postgres.gone', port }, 'the embedded Postgres is gone; restarting it');
    watch((await untilReady(place, { durable, timeoutMs })).child);
    log?.warn({ event: 'embedded-postgres.restarted', port }, 'the embedded Postgres is up again');
  };
  const watch = (server: ChildProcess | null): void =>
    void server?.once('exit', () => {
      if (isStopping) return;
      restarting = restart().catch((err: unknown) =>
        log?.error({ event: 'embedded-postgres.restart-failed', err }, 'could not restart it'),
      );
    });
  watch(child);
  return {
    url: `postgres://postgres:${place.password}@127.0.0.1:${port}/postgres?sslmode=disable`,
    location: place.cluster,
    description: `embedded Postgres in ${place.cluster}${child === null ? ' (already running)' : ''}`,
    adopted: child === null,
    async stop() {
      isStopping = true;
      await restarting;
      if (isOwner) await shutDown(place);
    },
  };
}

/** Whether the process that owns the server is alive. */
async function hasOwner({ ownerFile }: ClusterPlace): Promise<boolean> {
  const pid = Number(/\d+/.exec(await readFile(ownerFile, 'utf8').catch(() => ''))?.[0] ?? 0);
  return pid > 0 && isAlive(pid);
}

async function nameOwner({ ownerFile }: ClusterPlace): Promise<void> {
  await writeFile(ownerFile, `${process.pid}\n`, { mode: 0o600 });
}

interface Ready {
  port: number;
  /** Null if another process started the server. */
  child: ChildProcess | null;
}

/** Waits for a server that is starting, recovering or shutting down, and starts one where none runs. */
async function untilReady(
  place: ClusterPlace,
  { durable, timeoutMs }: { durable: boolean; timeoutMs: number },
): Promise<Ready> {
  const deadline = Date.now() + timeoutMs;
  let child: ChildProcess | null = null;
  for (let spawns = 0; Date.now() < deadline; await delay(15)) {
    const state = await serverState(place.cluster);
    if (state.kind === 'ready') return { port: state.port, child: state.pid === child?.pid ? child : null };
    const isStarting = child !== null && child.exitCode === null && child.signalCode === null;
    if (state.kind === 'busy' || isStarting) continue;
    if (spawns === spawnsMax) break;
    // The port may be taken, or processes of a killed server may still be ending: both pass.
    if (spawns > 0) await delay(50 * 2 ** spawns);
    // Before the server answers. Another starter would take it for one that a killed owner left behind.
    if (!(await hasOwner(place))) await nameOwner(place);
    child = await spawnServer(place, state, { durable, port: await freePort(await lastPort(place.cluster)) });
    spawns += 1;
  }
  throw new Error(
    `The embedded Postgres in ${place.cluster} did not start within ${timeoutMs / 1000} s; it may still be recovering. The end of ${place.logFile}:\n${await logTail(place.logFile)}`,
  );
}

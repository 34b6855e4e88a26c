import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '#server/log.ts';
import { type Ownership, ownershipIn } from './owner.ts';
import { choosePlace, type ClusterPlace } from './places.ts';
import { ensureCluster, freePort, logTail, serverState, shutDown, spawnServer } from './postmaster.ts';

export interface EmbeddedPostgres {
  /** With user, password and port; loopback only. It stays the same when the server is restarted. */
  url: string;
  /** The cluster's folder. */
  location: string;
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
const checkEveryMs = 500;

/**
 * Starts the embedded Postgres of a data folder, or adopts the one that runs. Any number of processes may call it at
 * the same time: one starts the server, the others adopt it. The process that started it owns it: it restarts a server
 * that dies, on the same port, and stops it in the end. When the owner is gone, another process that uses the server
 * becomes its owner. Throws a sentence for the operator when the server does not answer within `timeoutMs`.
 */
export async function startEmbedded({
  dataDir,
  log,
  durable = true,
  timeoutMs = 60_000,
}: StartOptions): Promise<EmbeddedPostgres> {
  const place = await choosePlace(dataDir, log);
  await ensureCluster(place, durable);
  const ownership = ownershipIn(place.ownerFile);
  const { port, pid, adopted } = await untilReady(place, {
    durable,
    timeoutMs,
    choosePort: async () => freePort(await ownership.lastPort()),
  });
  if (!adopted || !(await ownership.isTaken())) await ownership.claim(port);
  log?.debug(
    { event: 'embedded-postgres.up', location: place.cluster, port, pid, adopted },
    'embedded Postgres is up',
  );
  const unwatch = watch({ place, ownership, port, durable, log });
  let stopping: Promise<void> | null = null;
  const stop = async (): Promise<void> => {
    await unwatch();
    if (!(await ownership.isMine())) {
      log?.debug(
        { event: 'embedded-postgres.kept', pid },
        'embedded Postgres keeps running for the process that owns it',
      );
      return;
    }
    await shutDown(place);
    await ownership.release();
  };
  return {
    url: `postgres://postgres:${place.password}@127.0.0.1:${port}/postgres?sslmode=disable`,
    location: place.cluster,
    adopted,
    stop: () => (stopping ??= stop()),
  };
}

interface Ready {
  pid: number;
  port: number;
  adopted: boolean;
}

interface ReadyOptions {
  durable: boolean;
  timeoutMs: number;
  choosePort: () => Promise<number>;
}

/** Waits for a server that is starting, recovering or shutting down, and starts one where none runs. */
async function untilReady(
  place: ClusterPlace,
  { durable, timeoutMs, choosePort }: ReadyOptions,
): Promise<Ready> {
  const deadline = Date.now() + timeoutMs;
  let child: ChildProcess | null = null;
  let spawns = 0;
  while (Date.now() < deadline) {
    const state = await serverState(place.cluster);
    if (state.kind === 'ready') {
      const { pid, port } = state;
      return { pid, port, adopted: pid !== child?.pid };
    }
    const isStarting = child !== null && child.exitCode === null && child.signalCode === null;
    if (state.kind !== 'busy' && !isStarting) {
      if (spawns === spawnsMax)
        throw new Error(
          `The embedded Postgres in ${place.cluster} does not start. The end of ${place.logFile}:\n${await logTail(place.logFile)}`,
        );
      // The port may be taken, or processes of a killed server may still be ending: both pass.
      if (spawns > 0) await delay(50 * 2 ** spawns);
      child = await spawnServer(place, state, { durable, port: await choosePort() });
      spawns += 1;
    }
    await delay(15);
  }
  throw new Error(
    `The embedded Postgres in ${place.cluster} did not answer within ${timeoutMs / 1000} s; it may still be recovering. The end of ${place.logFile}:\n${await logTail(place.logFile)}`,
  );
}

interface Watched {
  place: ClusterPlace;
  ownership: Ownership;
  port: number;
  durable: boolean;
  log: Log | undefined;
}

/**
 * Restarts the server when it dies, unless another process owns it. Returns what ends the watch; it waits for a restart
 * under way.
 */
function watch(watched: Watched): () => Promise<void> {
  const ending = new AbortController();
  const watching = (async () => {
    for (;;) {
      await delay(checkEveryMs, undefined, { signal: ending.signal, ref: false }).catch(() => undefined);
      if (ending.signal.aborted) return;
      await restartIfDead(watched).catch((error: unknown) =>
        watched.log?.error(
          { event: 'embedded-postgres.restart-failed', err: error },
          'the embedded Postgres could not be restarted; trying again',
        ),
      );
    }
  })();
  return () => {
    ending.abort();
    return watching;
  };
}

async function restartIfDead({ place, ownership, port, durable, log }: Watched): Promise<void> {
  if (await ownership.isTaken()) return;
  if (!(await ownership.isMine())) await ownership.claim(port);
  const { kind } = await serverState(place.cluster);
  if (kind === 'ready' || kind === 'busy') return;
  log?.warn({ event: 'embedded-postgres.gone', port }, 'the embedded Postgres is gone; restarting it');
  const { pid } = await untilReady(place, {
    durable,
    timeoutMs: 60_000,
    choosePort: () => Promise.resolve(port),
  });
  log?.warn({ event: 'embedded-postgres.restarted', port, pid }, 'the embedded Postgres is up again');
}

import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import postgres from 'postgres';
import type { Log } from '../log.ts';
import { choosePlace, type ClusterPlace } from './postgresPlace.ts';
import { ensureCluster, logTail, serverState, shutDown, spawnServer } from './postmaster.ts';
import { processTag, processTagPattern } from './processTag.ts';
import { advisoryLocks } from './advisoryLocks.ts';

export interface EmbeddedPostgres {
  /** With user, password and port; loopback only. */
  url: string;
  /** The cluster's folder. */
  location: string;
  /** The server was running already: left by a killed process, or another process of ours started it. */
  adopted: boolean;
  /** Call it after closing your own connections. The last process to leave stops the server and waits until it is gone. */
  stop: () => Promise<void>;
}

interface StartOptions {
  dataDir: string;
  log?: Log;
  /** false: faster, and a crash of the machine may lose everything. For tests only. */
  durable?: boolean;
  timeoutMs?: number;
}

/** A session that says "somebody uses this server" for as long as it is open. */
interface Presence {
  sql: postgres.Sql;
  name: string;
}

const spawnsMax = 6;
const lastLookMs = 1_000;
let joined = 0;

/**
 * Starts the embedded Postgres of a data folder, or joins the one that runs. Any number of processes may call it at once: one starts the
 * server, the others adopt it. A server that is still starting, recovering from a crash or shutting down is waited for. Throws a sentence
 * for the operator when nothing answers within `timeoutMs`.
 */
export async function startEmbedded({
  dataDir,
  log,
  durable = true,
  timeoutMs = 60_000,
}: StartOptions): Promise<EmbeddedPostgres> {
  const place = await choosePlace(dataDir, log);
  await ensureCluster(place, durable);
  const deadline = Date.now() + timeoutMs;
  let child: ChildProcess | null = null;
  let spawns = 0;
  while (Date.now() < deadline) {
    const state = await serverState(place.cluster);
    if (state.kind === 'ready') {
      const presence = await join(place, state.port);
      if (presence !== null)
        return handle(place, presence, {
          port: state.port,
          pid: state.pid,
          adopted: state.pid !== child?.pid,
          log,
        });
    } else if (
      state.kind !== 'busy' &&
      (child === null || child.exitCode !== null || child.signalCode !== null)
    ) {
      if (spawns === spawnsMax)
        throw new Error(
          `The embedded Postgres in ${place.cluster} does not start. The end of ${place.logFile}:\n${await logTail(place.logFile)}`,
        );
      // A clash of ports, or processes of a server that was killed and still end: both pass.
      if (spawns > 0) await delay(50 * 2 ** spawns);
      child = await spawnServer(place, state, durable);
      spawns += 1;
    }
    await delay(15);
  }
  throw new Error(
    `The embedded Postgres in ${place.cluster} did not answer within ${timeoutMs / 1000} s; it may still be recovering. The end of ${place.logFile}:\n${await logTail(place.logFile)}`,
  );
}

/** Opens our session; null while the server can't take it (starting, or shut down by whom we overtook). */
async function join(place: ClusterPlace, port: number): Promise<Presence | null> {
  joined += 1;
  const name = `presence ${process.pid}-${joined} #`;
  const sql = postgres({
    host: '127.0.0.1',
    port,
    user: 'postgres',
    database: 'postgres',
    password: place.password,
    ssl: false,
    max: 1,
    idle_timeout: 0,
    max_lifetime: null,
    connect_timeout: 5,
    fetch_types: false,
    onnotice: () => undefined,
    connection: { application_name: name },
  });
  try {
    await sql`select pg_advisory_lock_shared(${advisoryLocks.embedded}), pg_advisory_unlock_shared(${advisoryLocks.embedded})`;
    return { sql, name };
  } catch (error) {
    await sql.end({ timeout: 0 });
    if (error instanceof Error && 'code' in error && error.code === '28P01') {
      throw new Error(
        `The embedded Postgres in ${place.cluster} refuses the password kept beside it. Put the right postgres.password back, or move both away to begin with an empty database.`,
        { cause: error },
      );
    }
    return null;
  }
}

function handle(
  place: ClusterPlace,
  presence: Presence,
  { port, pid, adopted, log }: { port: number; pid: number; adopted: boolean; log: Log | undefined },
): EmbeddedPostgres {
  log?.debug({ location: place.cluster, port, pid, adopted }, 'embedded Postgres is up');
  let stopping: Promise<void> | null = null;
  const stop = async (): Promise<void> => {
    try {
      if (await othersRemain(presence)) {
        log?.debug({ pid }, 'embedded Postgres is left running for other processes');
        return;
      }
      await shutDown(place);
    } finally {
      await presence.sql.end({ timeout: 0 });
    }
  };
  return {
    url: `postgres://postgres:${place.password}@127.0.0.1:${port}/postgres?sslmode=disable`,
    location: place.cluster,
    adopted,
    stop: () => (stopping ??= stop()),
  };
}

/**
 * Whether processes of ours other than this one use the server: by their presence, or by connections made with connect(), whose names end
 * in their process's tag. When they do, this session withdraws under the decision lock, so that the next to leave doesn't count it; when they
 * don't, it keeps the lock, so that whoever joins meanwhile waits and is cut off with it, and starts anew.
 */
async function othersRemain({ sql, name }: Presence): Promise<boolean> {
  try {
    await sql`select pg_advisory_lock(${advisoryLocks.embedded})`;
    const until = Date.now() + lastLookMs;
    for (;;) {
      const [{ count } = { count: 0 }] = await sql<{ count: number }[]>`
        select count(*)::int as count from pg_stat_activity
        where application_name ~ ${processTagPattern} and application_name <> ${name} and application_name !~ ${` ${processTag}$`}`;
      if (count === 0) return false;
      // Connections closed a moment ago are still listed.
      if (Date.now() > until) break;
      await delay(50);
    }
    await sql`set application_name = ''`;
    await sql`select pg_advisory_unlock(${advisoryLocks.embedded})`;
    return true;
  } catch {
    // The server is gone or out of order; stopping it is then the safe end.
    return false;
  }
}

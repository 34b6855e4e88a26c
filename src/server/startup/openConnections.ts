import type { Config } from '../config/config.ts';
import { connect, type Connection } from '../db/connect.ts';
import type { Log } from '../log.ts';

/** The largest pool of a process, so that ten web processes and two workers fit Postgres' default of 100 connections. */
const poolMax = { oneProcess: 10, separateWorkers: 5 } as const;

interface Options {
  config: Config;
  /** Of the application's role. */
  url: string;
  mode: string;
  log: Log;
}

interface Connections {
  connection: Connection;
  /** Null without one, and in workers, which don't read from it. */
  replica: Connection | null;
  close: () => Promise<void>;
}

/** Opens the pools of a process. They connect when they are first used. */
export function openConnections({ config, url, mode, log }: Options): Connections {
  const isAlone = config.worker === 'inline' && mode !== 'worker';
  const shared = {
    max: config.databasePoolMax ?? (isAlone ? poolMax.oneProcess : poolMax.separateWorkers),
    prepare: config.databasePrepare,
    log,
    closeSeconds: 2,
    watch: true,
  };
  const { databaseDirectUrl: directUrl, databaseReplicaUrl: replicaUrl } = config;
  const connection = connect(url, { ...shared, applicationName: `clinic-leads-${mode}`, directUrl });
  const replica =
    replicaUrl === null || mode === 'worker'
      ? null
      : connect(replicaUrl, { ...shared, applicationName: 'clinic-leads-replica', isReplica: true });
  return {
    connection,
    replica,
    close: async () => void (await Promise.all([connection.close(), replica?.close()])),
  };
}

/** How many reads of very many rows run at the same time in a process. */
export interface HeavyReads {
  /** Insights, each on one or two connections for up to ten seconds. */
  insights: number;
  /** Exports, each on one connection until its client has read it. */
  exports: number;
}

/** Connections that heavy reads leave to visitors: leads are stored on two. */
const leftMin = 2;
const exportsMax = 3;
/** From this size on, a pool has room for two insights. */
const manyConnections = 10;

/** The heavy reads that fit a pool of this size, of 5 or more. */
export function planHeavyReads(connections: number): HeavyReads {
  const insights = connections < manyConnections ? 1 : 2;
  const left = connections - 2 * insights - leftMin;
  return { insights, exports: Math.min(exportsMax, Math.max(1, left)) };
}

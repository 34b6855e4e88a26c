import { type ChildProcess, execFile } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { connect } from '#server/db/connect.ts';
import { choosePlace } from '#scripts/embeddedPostgres/places.ts';
import { ensureCluster } from '#scripts/embeddedPostgres/postmaster.ts';
import { prepareDatabase } from '#server/startup/prepareDatabase.ts';
import { startCluster } from './restartablePostgres.ts';
import { scratchRoot } from './scratchRoot.ts';
import { freePort } from './serverProcess.ts';
import { waitUntil } from './waitFor.ts';

/** A test's own pair of servers: a migrated primary, and a standby that streams from it. */
export interface StreamingReplica extends AsyncDisposable {
  primaryUrl: string;
  replicaUrl: string;
  /** One URL with both hosts, in this order. */
  urlOf: (...which: ('primary' | 'replica' | 'nobody')[]) => string;
  /** The replica falls behind from now on. */
  pause: () => Promise<void>;
  /** Resolves when the replica has everything that was written so far. */
  catchUp: () => Promise<void>;
  stopReplica: () => Promise<void>;
  startReplica: () => Promise<void>;
  /** Crashes the primary and makes the replica the primary. */
  failOver: () => Promise<void>;
}

export async function startStreamingReplica(): Promise<StreamingReplica> {
  const folder = await mkdtemp(join(scratchRoot(), 'clinic-leads-replica-'));
  // As root, the servers run as their own user, who needs access.
  await chmod(folder, 0o755);
  const place = await choosePlace(folder);
  await ensureCluster(place, false);
  const [primaryPort, replicaPort, nobodyPort] = [await freePort(), await freePort(), await freePort()];
  const standby = { ...place, cluster: `${place.cluster}-replica`, logFile: `${place.logFile}-replica` };
  // The cluster was created and shut down, so a copy of its files is a backup.
  await promisify(execFile)('cp', ['-a', place.cluster, standby.cluster]);
  const from = `host=127.0.0.1 port=${primaryPort} user=postgres password=${place.password}`;
  await appendFile(join(standby.cluster, 'postgresql.auto.conf'), `primary_conninfo = '${from}'\n`);
  const signal = join(standby.cluster, 'standby.signal');
  await writeFile(signal, '');
  if (place.account !== null) await chown(signal, place.account.uid, place.account.gid);

  const urlAt = (...ports: number[]): string =>
    `postgres://postgres:${place.password}@${ports.map((port) => `127.0.0.1:${port}`).join(',')}/postgres?sslmode=disable`;
  const [primaryUrl, replicaUrl] = [urlAt(primaryPort), urlAt(replicaPort)];
  const primary = await startCluster(place, primaryPort);
  let replica = await startCluster(standby, replicaPort);

  async function on(url: string, statement: string): Promise<string> {
    const { sql, close } = connect(url, { applicationName: 'test-replica-admin', max: 1 });
    try {
      const [row] = await sql.unsafe<{ value: unknown }[]>(statement);
      return String(row?.value);
    } finally {
      await close();
    }
  }
  async function catchUp(): Promise<void> {
    await on(replicaUrl, 'select pg_wal_replay_resume() as value');
    const written = await on(primaryUrl, 'select pg_current_wal_lsn() as value');
    const replayed = `select coalesce(pg_last_wal_replay_lsn() >= '${written}', false) as value`;
    await waitUntil(async () => (await on(replicaUrl, replayed)) === 'true');
  }
  await prepareDatabase({ url: primaryUrl, ownerUrl: null });
  await catchUp();

  return {
    primaryUrl,
    replicaUrl,
    urlOf: (...which) =>
      urlAt(
        ...which.map((each) => ({ primary: primaryPort, replica: replicaPort, nobody: nobodyPort })[each]),
      ),
    pause: async () => void (await on(replicaUrl, 'select pg_wal_replay_pause() as value')),
    catchUp,
    stopReplica: () => stopped(replica, 'SIGINT'),
    startReplica: async () => {
      replica = await startCluster(standby, replicaPort);
    },
    failOver: async () => {
      await stopped(primary, 'SIGQUIT');
      await on(replicaUrl, 'select pg_promote() as value');
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([primary, replica].map((server) => stopped(server, 'SIGQUIT')));
      await rm(folder, { recursive: true, force: true, maxRetries: 10 });
      for (const { cluster } of [place, standby])
        if (relative(folder, cluster).startsWith('..'))
          await rm(dirname(cluster), { recursive: true, force: true });
    },
  };
}

async function stopped(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const exited = once(server, 'exit');
  server.kill(signal);
  await exited;
}

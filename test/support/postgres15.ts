import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { asAccount } from '#scripts/embeddedPostgres/binaries.ts';
import { choosePlace } from '#scripts/embeddedPostgres/places.ts';
import { freePort, serverState, shutDown, spawnServer } from '#scripts/embeddedPostgres/postmaster.ts';
import { isPeerMissing } from './peers.ts';
import { scratchRoot } from './scratchRoot.ts';
import { waitUntil } from './waitFor.ts';

/** The programs of Debian's package postgresql-15. */
export const postgres15Folder = '/usr/lib/postgresql/15/bin';

/** Whether to skip the tests of Postgres 15. Only Debian 12 has its package: elsewhere, nothing requires it. */
export function skipWithoutPostgres15(): boolean {
  if (existsSync(join(postgres15Folder, 'postgres'))) return false;
  const sentence = 'No Postgres 15 to test against (Debian 12: apt-get install postgresql-15).';
  const canBeInstalled = spawnSync('apt-cache', ['show', 'postgresql-15']).status === 0;
  if (canBeInstalled) return isPeerMissing(false, sentence);
  process.stderr.write(`${sentence} Its test is skipped.\n`);
  return true;
}

/** Starts Postgres 15 with an empty cluster on a free port. `url` names its superuser and the database `postgres`. */
export async function startPostgres15(superuser = 'postgres'): Promise<{ url: string } & AsyncDisposable> {
  const dataDir = await mkdtemp(join(scratchRoot(), 'postgres-15-'));
  // As root, the server runs as its own user, who needs access.
  await chmod(dataDir, 0o755);
  const embedded = await choosePlace(dataDir);
  const binaries = {
    root: join(postgres15Folder, '..'),
    initdb: join(postgres15Folder, 'initdb'),
    postgres: join(postgres15Folder, 'postgres'),
    pgCtl: join(postgres15Folder, 'pg_ctl'),
  };
  const place = { ...embedded, cluster: join(dataDir, 'cluster'), binaries, major: '15' };
  const { account, cluster } = place;
  await mkdir(cluster, { mode: 0o700 });
  if (account !== null) await chown(cluster, account.uid, account.gid);
  await promisify(execFile)(
    binaries.initdb,
    ['-D', cluster, '-U', superuser, '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    asAccount(account),
  );
  const child = await spawnServer(place, { kind: 'absent' }, { durable: false, port: await freePort(null) });
  const port = await waitUntil(async () => {
    if (child.exitCode !== null) throw new Error(`Postgres 15 ended with status ${child.exitCode}`);
    const state = await serverState(cluster);
    return state.kind === 'ready' && state.port;
  });
  return {
    url: `postgres://${superuser}@127.0.0.1:${port}/postgres?sslmode=disable`,
    async [Symbol.asyncDispose]() {
      await shutDown(place);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

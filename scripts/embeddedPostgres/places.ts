import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { chmod, link, mkdir, readFile, stat, unlink, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Log } from '#server/log.ts';
import {
  type Account,
  asAccount,
  copyBinaries,
  findBinaries,
  majorVersion,
  type PostgresBinaries,
} from './binaries.ts';

const execute = promisify(execFile);

/** Where root keeps what its Postgres account can't reach under the data folder. */
const systemFolder = '/var/lib/clinic-lead-platform';
const accountName = 'postgres';

/** Where and how the server runs: folder, binaries, account, password. */
export interface ClusterPlace {
  /** The cluster's folder (PGDATA). */
  cluster: string;
  logFile: string;
  /** Contains the id of the process that owns the server (start.ts). */
  ownerFile: string;
  password: string;
  /** null: the server runs as this process's user. */
  account: Account | null;
  binaries: PostgresBinaries;
  major: string;
}

/**
 * Chooses where the embedded server of a data folder runs: `<dataDir>/postgres`, as the current user. Postgres refuses
 * to run as root, so for root it runs as the system user `postgres`, created when missing. Where that user can't enter
 * the data folder (a clone in root's home, mode 700) the cluster is under /var/lib, and where it can't run the
 * installed binaries they are copied there. Throws a sentence for the operator.
 */
export async function choosePlace(dataDir: string, log?: Log): Promise<ClusterPlace> {
  const folder = resolve(dataDir);
  await mkdir(folder, { recursive: true });
  const own = join(folder, 'postgres');
  const installed = await findBinaries();
  const isRoot = process.getuid?.() === 0;
  const owner = await getOwner(own);
  const password = await keepPassword(join(folder, 'postgres.password'), owner === null ? null : own);
  const account = isRoot ? (owner ?? (await postgresAccount())) : null;
  const cluster =
    account === null || (await canEnter(account, folder))
      ? own
      : await systemCluster(folder, password, owner);
  if (cluster !== own)
    log?.info(
      { event: 'embedded-postgres.elsewhere', location: cluster },
      'the Postgres user cannot enter the data folder; the database is kept elsewhere',
    );
  const { binaries, major } = await runnable(installed, account);
  return {
    cluster,
    logFile: join(folder, 'postgres.log'),
    ownerFile: join(folder, 'postgres.owner'),
    password,
    account,
    binaries,
    major,
  };
}

async function getOwner(path: string): Promise<Account | null> {
  const found = await stat(path).catch(() => null);
  return found === null || !(await stat(join(path, 'PG_VERSION')).catch(() => null))
    ? null
    : { uid: found.uid, gid: found.gid };
}

/**
 * Reads the cluster's password, or makes one (mode 0600). The file appears whole or not at all, so that of several
 * starters all use the first one's.
 */
async function keepPassword(file: string, existingCluster: string | null): Promise<string> {
  const read = (): Promise<string> => readFile(file, 'utf8');
  try {
    return (await read()).trim();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    if (error.code === 'EACCES')
      throw new Error(
        `${file} belongs to another user. Start as that user, or set DATA_DIR to a folder of your own.`,
        { cause: error },
      );
    if (error.code !== 'ENOENT') throw error;
  }
  if (existingCluster !== null) {
    throw new Error(
      `${file} is missing, and the database in ${existingCluster} can't be opened without it. Put the file back, or move that folder away to begin with an empty database.`,
    );
  }
  const temporary = `${file}.${randomBytes(6).toString('hex')}`;
  await writeFile(temporary, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' });
  await link(temporary, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await unlink(temporary);
  return (await read()).trim();
}

/** The system user that runs Postgres for root. Made with the system's own tool when there is none. */
async function postgresAccount(): Promise<Account> {
  const find = async (): Promise<Account | null> => {
    const ids = await Promise.all(['-u', '-g'].map((flag) => execute('id', [flag, accountName]))).catch(
      () => null,
    );
    const [uid, gid] = ids?.map(({ stdout }) => Number(stdout)) ?? [];
    return uid === undefined || gid === undefined || uid === 0 ? null : { uid, gid };
  };
  const attempts = [
    'true',
    `useradd --system --user-group --no-create-home --home-dir /nonexistent --shell /bin/false ${accountName}`,
    // BusyBox (Alpine).
    `adduser -S -D -H -h /nonexistent -s /bin/false ${accountName}`,
  ];
  for (const attempt of attempts) {
    await execute('/bin/sh', ['-c', attempt]).catch(() => null);
    const account = await find();
    if (account !== null) return account;
  }
  throw new Error(
    `Postgres can't run as root, and there is neither a system user "${accountName}" nor a useradd or adduser that makes one. Create it, start as another user, or set DATABASE_URL.`,
  );
}

/** Asks the kernel, as that user: modes of every ancestor, access lists and mount options all count. */
async function canEnter(account: Account, folder: string): Promise<boolean> {
  return execute('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], asAccount(account)).then(
    () => true,
    () => false,
  );
}

async function systemCluster(folder: string, password: string, owner: Account | null): Promise<string> {
  if (owner !== null) {
    throw new Error(
      `The database in ${join(folder, 'postgres')} belongs to the user with id ${owner.uid}, who can't enter ${folder}. Let that user in, or start as that user.`,
    );
  }
  // The password makes the name this data folder's own: a deleted and remade folder at the same path doesn't meet its
  // predecessor's cluster.
  const name = createHash('sha256').update(`${folder}\n${password}`).digest('hex').slice(0, 12);
  const home = join(systemFolder, name);
  try {
    await mkdir(home, { recursive: true });
    for (const path of [systemFolder, home]) await chmod(path, 0o755);
    await writeFile(join(home, 'belongs-to'), `${folder}\n`);
  } catch (error) {
    throw new Error(
      `The Postgres user can't enter ${folder}, and ${home} can't be made. Set DATA_DIR to a folder every user can enter, or set DATABASE_URL.`,
      { cause: error },
    );
  }
  return join(home, 'postgres');
}

async function runnable(
  installed: PostgresBinaries,
  account: Account | null,
): Promise<{ binaries: PostgresBinaries; major: string }> {
  const major = await majorVersion(installed, account);
  if (major !== null) return { binaries: installed, major };
  if (account !== null) {
    const binaries = await copyBinaries(installed, systemFolder);
    const copied = await majorVersion(binaries, account);
    if (copied !== null) return { binaries, major: copied };
  }
  throw new Error(
    `The embedded Postgres (${dirname(installed.postgres)}) doesn't run on this ${process.platform}-${process.arch} system; it may lack the GNU C library. Set DATABASE_URL to a Postgres server.`,
  );
}

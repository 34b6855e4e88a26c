import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { wordPressFolder } from './available.ts';

const php = join(import.meta.dirname, 'php');

/** A database that no one misses: nothing waits for the disk, and it is reached only through its socket. */
const databaseConfig = (folder: string): string => `[mariadbd]
datadir=${folder}/database
socket=${folder}/mariadb.sock
pid-file=${folder}/mariadb.pid
skip-networking
skip-log-bin
skip-name-resolve
innodb-flush-log-at-trx-commit=0
innodb-flush-method=nosync
innodb-doublewrite=0
innodb-log-file-size=16M
innodb-buffer-pool-size=64M
${process.getuid?.() === 0 ? 'user=root\n' : ''}`;

/**
 * A temporary folder with an empty database and WordPress's files, not yet installed. The files are copied: WordPress
 * finds its configuration by where its files really lie, and a link leads it to Debian's.
 */
export async function makeSite(): Promise<string> {
  // A socket's path has room for 107 characters.
  const folder = await mkdtemp(join(tmpdir(), 'wordpress-'));
  const made = await Promise.allSettled([makeDatabase(folder), copyFiles(join(folder, 'site'))]);
  const failed = made.find((result) => result.status === 'rejected');
  if (failed === undefined) return folder;
  await rm(folder, { recursive: true, force: true });
  throw failed.reason;
}

async function makeDatabase(folder: string): Promise<void> {
  const config = join(folder, 'mariadb.cnf');
  await writeFile(config, databaseConfig(folder));
  const options = ['--auth-root-authentication-method=normal', '--skip-test-db'];
  await promisify(execFile)('mariadb-install-db', [`--defaults-file=${config}`, ...options]);
}

async function copyFiles(site: string): Promise<void> {
  await cp(wordPressFolder, site, { recursive: true });
  await cp(join(php, 'wp-config.php'), join(site, 'wp-config.php'));
  const plugins = join(site, 'wp-content/mu-plugins');
  await mkdir(plugins, { recursive: true });
  await cp(join(php, 'plugin.php'), join(plugins, 'plugin.php'));
}

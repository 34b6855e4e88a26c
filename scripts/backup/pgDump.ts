import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseDatabaseUrl } from '#server/db/databaseUrl.ts';

const tlsVariables = {
  sslmode: 'PGSSLMODE',
  sslrootcert: 'PGSSLROOTCERT',
  sslcert: 'PGSSLCERT',
  sslkey: 'PGSSLKEY',
} as const;

/** The variables that libpq's programs read. In an argument, other users of the machine could see the password. */
function libpqEnvironment(url: string): Record<string, string> {
  const {
    hosts,
    user,
    database,
    url: { password, searchParams },
  } = parseDatabaseUrl(url);
  const given = {
    PGHOST: hosts.map(({ host }) => decodeURIComponent(host.replace(/^\[|\]$/g, ''))).join(','),
    PGPORT: hosts.map(({ port }) => port).join(','),
    PGTARGETSESSIONATTRS: hosts.length > 1 ? 'read-write' : '',
    PGUSER: user,
    PGPASSWORD: decodeURIComponent(password),
    PGDATABASE: database,
    ...Object.fromEntries(
      Object.entries(tlsVariables).map(([name, variable]) => [variable, searchParams.get(name) ?? '']),
    ),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''));
}

type Program = 'pg_dump' | 'pg_restore';

function run(
  program: Program,
  args: string[],
  env: Record<string, string> = {},
): Promise<{ status: number | null; stdout: string; stderr: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      env: { PATH: process.env['PATH'] ?? '', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.once('error', reject);
    child.once('close', (status) => resolve({ status, stdout, stderr }));
  });
}

/** The major version of a program on this machine; null if it isn't installed. */
export async function programMajor(program: Program): Promise<number | null> {
  const { stdout } = await run(program, ['--version']).catch(() => ({ stdout: '' }));
  const [, major] = /\(PostgreSQL\) (\d+)/.exec(stdout) ?? [];
  return major === undefined ? null : Number(major);
}

async function runOrThrow(
  program: Program,
  args: string[],
  env: Record<string, string> = {},
): Promise<string> {
  const { status, stdout, stderr } = await run(program, args, env);
  if (status !== 0) throw new Error(`${program} failed (status ${status}): ${stderr.trim()}`);
  return stdout;
}

export const dumpFile = 'database.dump';

interface Dump {
  url: string;
  folder: string;
  /** Of `pg_export_snapshot()`, so that the manifest describes the same rows. */
  snapshot: string;
}

export async function dumpDatabase({ url, folder, snapshot }: Dump): Promise<void> {
  const args = ['--format=custom', '--no-owner', '--no-acl', '--no-unlogged-table-data', '--schema=public'];
  await runOrThrow(
    'pg_dump',
    [...args, `--snapshot=${snapshot}`, `--file=${join(folder, dumpFile)}`],
    libpqEnvironment(url),
  );
}

/** Entries of the archive that the target has already: the extensions, which the owner of a database may not create. */
const ownEntry = /^\d+; \d+ \d+ (?:COMMENT - )?(?:EXTENSION|SCHEMA)\b/;

interface RestoreDump {
  url: string;
  folder: string;
  /** For the list of entries; removed by the caller. */
  scratch: string;
}

/** Restores the dump into an empty database that has the extensions, in one transaction. */
export async function restoreDump({ url, folder, scratch }: RestoreDump): Promise<void> {
  const archive = join(folder, dumpFile);
  const list = await runOrThrow('pg_restore', ['--list', archive]);
  const listFile = join(scratch, 'entries');
  await writeFile(
    listFile,
    list
      .split('\n')
      .filter((line) => !ownEntry.test(line))
      .join('\n'),
  );
  const env = libpqEnvironment(url);
  const args = [
    '--no-owner',
    '--no-acl',
    '--exit-on-error',
    '--single-transaction',
    `--use-list=${listFile}`,
  ];
  await runOrThrow('pg_restore', [...args, `--dbname=${env['PGDATABASE'] ?? ''}`, archive], env);
}

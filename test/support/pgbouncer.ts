import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseDatabaseUrl } from '#server/db/databaseUrl.ts';
import { isPeerMissing } from './peers.ts';
import { freePort } from './serverProcess.ts';

const example = path.resolve(import.meta.dirname, '../../deploy/pgbouncer.ini');

/** Debian has it in a folder that isn't in everybody's path. */
const env = { ...process.env, PATH: `${process.env['PATH'] ?? ''}:/usr/sbin` };

export function skipWithoutPgbouncer(): boolean {
  const isFound = spawnSync('pgbouncer', ['--version'], { env }).status === 0;
  return isPeerMissing(isFound, 'No PgBouncer to test with (Debian: apt-get install pgbouncer).');
}

export interface Pgbouncer extends AsyncDisposable {
  /** The database's URL through PgBouncer. */
  url: string;
}

/** The shipped configuration in a real PgBouncer in front of a database, with this many sessions of Postgres. */
export async function startPgbouncer(databaseUrl: string, sessions: number): Promise<Pgbouncer> {
  const { hosts, user, database, url } = parseDatabaseUrl(databaseUrl);
  const [to] = hosts;
  if (to === undefined) throw new Error('the database has no host');
  const port = await freePort();
  const folder = await mkdtemp(path.join(tmpdir(), 'pgbouncer-'));
  await chmod(folder, 0o755);
  const users = path.join(folder, 'userlist.txt');
  const config = path.join(folder, 'pgbouncer.ini');
  await writeFile(users, `"${user}" "${decodeURIComponent(url.password)}"\n`);
  const own: [name: string, value: string][] = [
    ['clinic_leads', `host=${to.host} port=${to.port} dbname=${database}`],
    ['listen_port', String(port)],
    ['auth_file', users],
    ['default_pool_size', String(sessions)],
  ];
  await writeFile(config, `${withSettings(await readFile(example, 'utf8'), own)}unix_socket_dir =\n`);
  // It refuses to run as root.
  const account = process.getuid?.() === 0 ? ['-u', 'postgres'] : [];
  const child = spawn('pgbouncer', [...account, config], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => (log += part));
  const stop = async (): Promise<void> => {
    await stopped(child);
    await rm(folder, { recursive: true, force: true });
  };
  await once(child, 'spawn');
  while (!log.includes('process up')) {
    if (child.exitCode !== null || child.signalCode !== null) {
      await stop();
      throw new Error(`PgBouncer ended:\n${log}`);
    }
    await delay(10);
  }
  url.hostname = '127.0.0.1';
  url.port = String(port);
  url.pathname = '/clinic_leads';
  return { url: url.href, [Symbol.asyncDispose]: stop };
}

/** Replaces settings of the example. Throws if it lacks one. */
function withSettings(text: string, settings: readonly [name: string, value: string][]): string {
  return settings.reduce((soFar, [name, value]) => {
    const line = new RegExp(`^${name} = .*$`, 'm');
    if (!line.test(soFar)) throw new Error(`the example has no ${name}`);
    return soFar.replace(line, `${name} = ${value}`);
  }, text);
}

async function stopped(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

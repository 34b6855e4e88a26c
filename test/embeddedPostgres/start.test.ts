import { type ChildProcess, execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import postgres from 'postgres';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { scratchRoot } from '#test/support/scratchRoot.ts';
import { connect } from '#server/db/connect.ts';
import { type EmbeddedPostgres, startEmbedded } from '#scripts/embeddedPostgres/start.ts';
import { copyBinaries, findBinaries, majorVersion } from '#scripts/embeddedPostgres/binaries.ts';
import { choosePlace } from '#scripts/embeddedPostgres/places.ts';
import { serverState } from '#scripts/embeddedPostgres/postmaster.ts';
import { waitFor } from '#test/support/waitFor.ts';

// Each test makes a cluster or two, and some several processes.
const report = z.object({ url: z.string(), adopted: z.boolean() });
const isRoot = process.getuid?.() === 0;
const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanups.splice(0).toReversed()) await cleanUp();
});

let made: string;
beforeAll(async () => {
  made = await mkdtemp(join(scratchRoot(), 'clinic-leads-embedded-'));
  await chmod(made, 0o755);
  await (await startEmbedded({ dataDir: made, durable: false })).stop();
});
afterAll(() => rm(made, { recursive: true, force: true }));

async function privateFolder(mode = 0o755, root = scratchRoot()): Promise<string> {
  const folder = await mkdtemp(join(root, 'clinic-leads-embedded-'));
  await chmod(folder, mode);
  cleanups.push(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * A data folder as every start but its first finds it: to copy a cluster takes a tenth of the time it takes to make
 * one.
 */
async function usedFolder(): Promise<string> {
  const folder = await privateFolder();
  await promisify(execFile)('cp', ['-a', `${made}/.`, folder]);
  return folder;
}

async function start(dataDir: string): Promise<EmbeddedPostgres> {
  const server = await startEmbedded({ dataDir, durable: false });
  cleanups.push(() => server.stop());
  return server;
}

/** Another Node process that starts the server, reports it, and stops it on a message. */
async function startInChild(
  dataDir: string,
  durability: 'durable' | 'disposable' = 'disposable',
): Promise<{ child: ChildProcess; url: string; adopted: boolean }> {
  const child = fork(join(import.meta.dirname, 'child.ts'), [dataDir, durability], {
    execArgv: [],
  });
  cleanups.push(async () => {
    if (child.exitCode === null && child.signalCode === null && child.kill('SIGKILL'))
      await once(child, 'exit');
  });
  const [message]: unknown[] = await once(child, 'message');
  return { child, ...report.parse(message) };
}

async function end(child: ChildProcess, how: 'stop' | 'kill'): Promise<void> {
  const exited = once(child, 'exit');
  if (how === 'kill') child.kill('SIGKILL');
  else child.send('stop');
  await exited;
}

async function serverPid(location: string): Promise<number> {
  return Number((await readFile(join(location, 'postmaster.pid'), 'utf8')).split('\n')[0]);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function answers(url: string): Promise<boolean> {
  return ask(url, 'select 1').then(
    () => true,
    () => false,
  );
}

async function ask<T>(url: string, query: string): Promise<T[]> {
  const sql = postgres(url, { max: 1, onnotice: () => undefined });
  try {
    return await sql.unsafe<T[]>(query);
  } finally {
    await sql.end();
  }
}

test('a start creates a durable UTF-8 database, and a stop leaves no process', async () => {
  const server = await startEmbedded({ dataDir: await privateFolder() });
  cleanups.push(() => server.stop());
  expect(server.adopted).toBe(false);
  const rows = await ask<{ name: string; setting: string }>(
    server.url,
    `select name, setting from pg_settings where name in ('server_encoding', 'listen_addresses', 'fsync', 'password_encryption') order by name`,
  );
  expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual({
    fsync: 'on',
    listen_addresses: '127.0.0.1',
    password_encryption: 'scram-sha-256',
    server_encoding: 'UTF8',
  });
  const pid = await serverPid(server.location);
  await server.stop();
  // Until init has reaped it, it counts as running.
  await expect.poll(() => isRunning(pid)).toBe(false);
  expect(await serverState(server.location)).toEqual({ kind: 'absent' });
});

test('data and password survive a stop, and only the owner reads the password', async () => {
  const dataDir = await usedFolder();
  const first = await start(dataDir);
  await ask(first.url, 'create table kept as select 42 as answer');
  await first.stop();
  const second = await start(dataDir);
  expect(second.adopted).toBe(false);
  expect(await ask(second.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
  expect(new URL(second.url).password).toBe(new URL(first.url).password);
  expect((await stat(join(dataDir, 'postgres.password'))).mode & 0o777).toBe(0o600);
  const wrong = new URL(second.url);
  wrong.password = 'wrong';
  await expect(ask(wrong.href, 'select 1')).rejects.toMatchObject({ code: '28P01' });
});

test('a server that outlived its killed parent is adopted, and stopped by the adopter', async () => {
  const dataDir = await usedFolder();
  const { child, url } = await startInChild(dataDir);
  await ask(url, 'create table written as select 1 as one');
  await end(child, 'kill');
  const adopter = await start(dataDir);
  expect(adopter.adopted).toBe(true);
  expect(adopter.url).toBe(url);
  expect(await ask(adopter.url, 'select one from written')).toEqual([{ one: 1 }]);
  const pid = await serverPid(adopter.location);
  await adopter.stop();
  await waitFor(() => expect(isRunning(pid)).toBe(false));
});

test('of processes that start together, one spawns the server and the others adopt it', async () => {
  const dataDir = await privateFolder();
  const [one, other, mine] = await Promise.all([
    startInChild(dataDir),
    startInChild(dataDir),
    start(dataDir),
  ]);
  expect([one.url, other.url]).toEqual([mine.url, mine.url]);
  expect([one, other, mine].filter(({ adopted }) => !adopted)).toHaveLength(1);
  const pid = await serverPid(mine.location);
  await Promise.all([end(one.child, 'stop'), end(other.child, 'stop')]);
  // It runs as long as its owner: the same one, which nobody has stopped and restarted.
  expect(await answers(mine.url)).toBe(!mine.adopted);
  await expect.poll(() => isRunning(pid)).toBe(!mine.adopted);
});

test('an adopter that stops leaves the server running', async () => {
  const mine = await start(await usedFolder());
  const { child, adopted, url } = await startInChild(dirname(mine.location));
  expect([adopted, url]).toEqual([true, mine.url]);
  const pid = await serverPid(mine.location);
  await end(child, 'stop');
  expect(await ask(mine.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  expect(await serverPid(mine.location)).toBe(pid);
});

test('processes that stop together leave no server behind', async () => {
  const dataDir = await usedFolder();
  const started = await Promise.all([startInChild(dataDir), startInChild(dataDir)]);
  const location = (await choosePlace(dataDir)).cluster;
  expect(await serverState(location)).toMatchObject({ kind: 'ready' });
  await Promise.all(started.map(({ child }) => end(child, 'stop')));
  expect(await serverState(location)).toEqual({ kind: 'absent' });
});

test('a stop ends open connections', async () => {
  const server = await start(await usedFolder());
  const connection = connect(server.url, { applicationName: 'forgotten', max: 1 });
  await connection.sql`select 1`;
  const pid = await serverPid(server.location);
  await server.stop();
  await expect.poll(() => isRunning(pid)).toBe(false);
  await connection.close();
});

test('a server that is killed is restarted with its data, on the same port', async () => {
  const server = await startEmbedded({ dataDir: await usedFolder() });
  cleanups.push(() => server.stop());
  await ask(server.url, 'create table kept as select 1 as one');
  const first = await serverPid(server.location);
  process.kill(first, 'SIGKILL');
  await expect.poll(() => serverPid(server.location)).not.toBe(first);
  await expect.poll(() => answers(server.url)).toBe(true);
  expect(await ask(server.url, 'select one from kept')).toEqual([{ one: 1 }]);
});

test('the next start uses the same port', async () => {
  const dataDir = await usedFolder();
  const first = await start(dataDir);
  await first.stop();
  expect((await start(dataDir)).url).toBe(first.url);
});

test('a postmaster.pid that names another program’s process is stale', async () => {
  const dataDir = await usedFolder();
  const first = await start(dataDir);
  await ask(first.url, 'create table kept as select 1 as one');
  const file = join(first.location, 'postmaster.pid');
  const text = await readFile(file, 'utf8');
  await first.stop();
  // After a reboot the number may belong to anything; this test's own process stands for it.
  await writeFile(file, text.replace(/^\d+/, String(process.pid)));
  const second = await start(dataDir);
  expect(second.adopted).toBe(false);
  expect(await ask(second.url, 'select one from kept')).toEqual([{ one: 1 }]);
});

test('after a crash of owner and server the next start recovers what was committed', async () => {
  const dataDir = await usedFolder();
  const { child, url } = await startInChild(dataDir, 'durable');
  await ask(url, 'create table kept as select 1 as one');
  const { cluster } = await choosePlace(dataDir);
  await end(child, 'kill');
  process.kill(await serverPid(cluster), 'SIGKILL');
  const second = await start(dataDir);
  expect(second.adopted).toBe(false);
  expect(await ask(second.url, 'select one from kept')).toEqual([{ one: 1 }]);
});

test('a start during a shutdown gets a running server', async () => {
  const dataDir = await usedFolder();
  const first = await start(dataDir);
  const [second] = await Promise.all([start(dataDir), first.stop()]);
  await expect.poll(() => answers(second.url)).toBe(true);
});

test('a lost password file is reported, and no new password is set', async () => {
  const dataDir = await usedFolder();
  await (await start(dataDir)).stop();
  await rm(join(dataDir, 'postgres.password'));
  await expect(startEmbedded({ dataDir })).rejects.toThrow('postgres.password is missing');
});

test('a cluster of another major version is named with both versions', async () => {
  const dataDir = await usedFolder();
  const server = await start(dataDir);
  await server.stop();
  await writeFile(join(server.location, 'PG_VERSION'), '17\n');
  await expect(startEmbedded({ dataDir })).rejects.toThrow(
    /made by Postgres 17; this version brings Postgres 18/,
  );
});

test('a data folder only its owner may enter works', async () => {
  const home = await privateFolder(0o700);
  const dataDir = join(home, 'clone', 'data');
  const server = await start(dataDir);
  // Root's Postgres runs as another user, who can't enter: the database lies where it can, under a name of its own.
  const own = join(dataDir, 'postgres');
  if (isRoot) cleanups.unshift(() => rm(dirname(server.location), { recursive: true, force: true }));
  expect(server.location.replace(/[0-9a-f]{12}/, 'ID')).toBe(
    isRoot ? '/var/lib/clinic-lead-platform/ID/postgres' : own,
  );
  expect((await stat(server.location)).uid).not.toBe(0);
  await ask(server.url, 'create table kept as select 1 as one');
  await server.stop();
  const again = await start(dataDir);
  expect(again.location).toBe(server.location);
  expect(await ask(again.url, 'select one from kept')).toEqual([{ one: 1 }]);
});

test('binaries in a private folder are copied to where everybody can run them', async () => {
  // Programs run from here.
  const home = await privateFolder(0o700, tmpdir());
  const shared = await privateFolder(0o755, tmpdir());
  const installed = await findBinaries();
  await mkdir(join(home, 'native'));
  await cp(installed.root, join(home, 'native'), { recursive: true, verbatimSymlinks: true });
  await cp(join(installed.root, '..', 'package.json'), join(home, 'package.json'));
  const inHome = (file: string): string => file.replace(installed.root, join(home, 'native'));
  const hidden = {
    root: join(home, 'native'),
    initdb: inHome(installed.initdb),
    postgres: inHome(installed.postgres),
    pgCtl: inHome(installed.pgCtl),
  };
  const stranger = isRoot ? { uid: 65_534, gid: 65_534 } : null;
  expect(await majorVersion(hidden, stranger)).toBe(isRoot ? null : '18');
  const [copied, sameCopy] = await Promise.all([copyBinaries(hidden, shared), copyBinaries(hidden, shared)]);
  expect(sameCopy).toEqual(copied);
  expect(await majorVersion(copied, stranger)).toBe('18');
});

test('a platform without an installed binary is refused with the alternative', async () => {
  const [platform, arch] = process.platform === 'darwin' ? ['linux', 'ppc64'] : ['darwin', 'arm64'];
  await expect(findBinaries(platform, arch)).rejects.toThrow(
    new RegExp(`for ${platform}-${arch} .*Set DATABASE_URL`),
  );
});

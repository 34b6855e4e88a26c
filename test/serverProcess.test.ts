import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { Agent, createServer, type IncomingMessage, request } from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { scratchRoot } from '#test/support/scratchRoot.ts';
import { freePort, startServer } from '#test/support/serverProcess.ts';
import { testDb } from '#test/support/testDb.ts';
import { viteUpgrade } from '#test/support/viteUpgrade.ts';

const exists = (file: string): Promise<boolean> =>
  stat(file).then(
    () => true,
    () => false,
  );

/** A folder for the data of a start, removed at the end. */
async function dataFolder(): Promise<
  { dataDir: string; postgresFile: (name: string) => string } & AsyncDisposable
> {
  const dataDir = await mkdtemp(path.join(scratchRoot(), 'start-'));
  await chmod(dataDir, 0o755);
  return {
    dataDir,
    postgresFile: (name) => path.join(dataDir, 'postgres', name),
    [Symbol.asyncDispose]: () => rm(dataDir, { recursive: true, force: true }),
  };
}

function developmentEnv(dataDir: string, port: string): NodeJS.ProcessEnv {
  return { ...process.env, NODE_ENV: 'development', DATABASE_URL: '', DATA_DIR: dataDir, PORT: port };
}

test('a start whose port is taken says so before it builds or starts anything', async () => {
  await using folder = await dataFolder();
  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  const address = holder.address();
  const port = String(address === null || typeof address === 'string' ? 0 : address.port);
  try {
    const child = spawn(process.execPath, ['scripts/start.ts'], {
      env: developmentEnv(folder.dataDir, port),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [said, done, [status]] = await Promise.all([
      text(child.stderr),
      text(child.stdout),
      once(child, 'exit'),
    ]);
    expect([said, done, status]).toEqual([`Port ${port} is taken. Stop what uses it or set PORT.\n`, '', 1]);
    expect(await exists(path.join(folder.dataDir, 'postgres'))).toBe(false);
  } finally {
    holder.close();
  }
});

test('a start that fails leaves no Postgres running', async () => {
  await using folder = await dataFolder();
  const port = await freePort();
  const child = spawn(process.execPath, ['scripts/start.ts'], {
    env: {
      ...process.env,
      NODE_ENV: 'development',
      DATABASE_URL: '',
      DATA_DIR: folder.dataDir,
      PORT: String(port),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // Taken after the first look at it, so that the start fails at its end.
  const holder = createServer();
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    if (part.includes('Starting Postgres')) holder.listen(port);
  });
  const [said, [status]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  holder.close();
  expect([said, status]).toEqual([`Port ${port} is taken. Stop what uses it or set PORT.\n`, 1]);
  expect(await exists(folder.postgresFile('PG_VERSION'))).toBe(true);
  expect(await exists(folder.postgresFile('postmaster.pid'))).toBe(false);
});

test.each(['npm', 'its process group'])(
  'npm start says its phases and ends with %s, Postgres included',
  async (target) => {
    await using folder = await dataFolder();
    const port = String(await freePort());
    const npm = spawn('npm', ['start'], {
      detached: true,
      env: developmentEnv(folder.dataDir, port),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    npm.stdout.setEncoding('utf8').on('data', (part: string) => (said += part));
    await expect.poll(() => said).toContain('Ready in');
    const phases = [
      'Building',
      'Starting Postgres',
      'Loading the pages',
      'Preparing the database',
      'Starting the server',
    ];
    const places = phases.map((phase) => said.indexOf(phase));
    expect(places.every((place) => place >= 0)).toBe(true);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(await exists(folder.postgresFile('postmaster.pid'))).toBe(true);
    process.kill(target === 'npm' ? (npm.pid ?? 0) : -(npm.pid ?? 0), 'SIGTERM');
    await expect.poll(() => exists(folder.postgresFile('postmaster.pid'))).toBe(false);
    await expect
      .poll(() =>
        fetch(`http://127.0.0.1:${port}/healthz`).then(
          () => 'up',
          () => 'gone',
        ),
      )
      .toBe('gone');
  },
);

/** An option of Node for `npm start`: once the file exists, its group gets a signal just before it looks for npm. */
function endGroup(file: string): string {
  const script = `
    import { existsSync } from 'node:fs';
    const set = setInterval;
    let isSent = false;
    globalThis.setInterval = (work, ...rest) => set(() => {
      const parent = process.ppid;
      if (!isSent && String(work).includes('ppid') && existsSync(${JSON.stringify(file)})) {
        isSent = true;
        process.kill(0, 'SIGTERM');
        while (process.ppid === parent);
      }
      work();
    }, ...rest);`;
  return `--import data:text/javascript,${encodeURIComponent(script)}`;
}

test('a signal that npm start gets while npm ends counts once, and Postgres is stopped', async () => {
  await using folder = await dataFolder();
  const file = path.join(folder.dataDir, 'end');
  const npm = spawn('npm', ['start'], {
    detached: true,
    env: { ...developmentEnv(folder.dataDir, String(await freePort())), NODE_OPTIONS: endGroup(file) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  npm.stdout.setEncoding('utf8').on('data', (part: string) => (said += part));
  await expect.poll(() => said).toContain('Ready in');
  await writeFile(file, '');
  await expect.poll(() => exists(folder.postgresFile('postmaster.pid'))).toBe(false);
});

test('idle connections stay open longer than those of a proxy', async () => {
  await using database = await testDb();
  await using server = await startServer({ DATABASE_URL: database.url });
  const agent = new Agent({ keepAlive: true });
  const asked = request({ agent, port: server.port, host: '127.0.0.1', path: '/healthz' }).end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  agent.destroy();
  expect(response.headers['keep-alive']).toBe('timeout=75');
});

test('on SIGTERM, busy keep-alive connections end with a complete response', async () => {
  await using database = await testDb();
  const server = await startServer({ DATABASE_URL: database.url });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const outcomes: string[] = [];
  const ask = (): Promise<string> =>
    new Promise((resolve) => {
      const asked = request({ agent, port: server.port, host: '127.0.0.1', path: '/api/providers' });
      asked.on('response', (response) => {
        response.on('error', () => resolve('cut'));
        response.resume().on('end', () => resolve(String(response.statusCode)));
      });
      asked.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error'));
      asked.end();
    });
  const sender = (async () => {
    for (let last = ''; last !== 'ECONNREFUSED'; outcomes.push(last)) last = await ask();
  })();
  await expect.poll(() => outcomes.length).toBeGreaterThan(20);
  await server[Symbol.asyncDispose]();
  await sender;
  agent.destroy();
  // A connection may be closed while it is idle, just as a request sets out on it; a request that was taken is answered
  // whole.
  expect(outcomes).not.toContain('cut');
});

test('in development, an open page with its WebSocket does not delay a stop', async () => {
  await using database = await testDb();
  const port = await freePort();
  const child = spawn(process.execPath, ['scripts/dev.ts'], {
    env: { ...process.env, NODE_ENV: 'development', DATABASE_URL: database.url, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  try {
    await once(child, 'message');
    const asked = request({ port, host: '127.0.0.1', path: '/', headers: viteUpgrade() }).end();
    const [response] = (await once(asked, 'upgrade')) as [IncomingMessage];
    response.socket.on('error', () => undefined);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  } finally {
    child.kill('SIGKILL');
  }
});

import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, stat } from 'node:fs/promises';
import { Agent, createServer, type IncomingMessage, request } from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { scratchRoot } from '#test/support/scratchRoot.ts';
import { freePort, startServer } from '#test/support/serverProcess.ts';
import { testDb } from '#test/support/testDb.ts';

const exists = (file: string): Promise<boolean> =>
  stat(file).then(
    () => true,
    () => false,
  );

test('a failed start prints one sentence and leaves no Postgres running', async () => {
  const dataDir = await mkdtemp(path.join(scratchRoot(), 'failed-start-'));
  await chmod(dataDir, 0o755);
  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  const address = holder.address();
  const port = String(address === null || typeof address === 'string' ? 0 : address.port);
  try {
    const child = spawn(process.execPath, ['scripts/start.ts'], {
      env: { ...process.env, NODE_ENV: 'development', DATABASE_URL: '', DATA_DIR: dataDir, PORT: port },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const [said, [status]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect(said).toBe(`Port ${port} is taken. Stop what uses it or set PORT.\n`);
    expect(status).toBe(1);
    // It was started, and is gone.
    expect(await exists(path.join(dataDir, 'postgres', 'PG_VERSION'))).toBe(true);
    expect(await exists(path.join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false);
  } finally {
    holder.close();
    await rm(dataDir, { recursive: true, force: true });
  }
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

test('in development, an open page with its WebSocket does not delay a restart', async () => {
  await using database = await testDb();
  const port = await freePort();
  const child = spawn(process.execPath, ['scripts/dev.ts'], {
    env: { ...process.env, NODE_ENV: 'development', DATABASE_URL: database.url, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  try {
    await once(child, 'message');
    const headers = {
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Protocol': 'vite-hmr',
    };
    const asked = request({ port, host: '127.0.0.1', path: '/', headers }).end();
    const [response] = (await once(asked, 'upgrade')) as [IncomingMessage];
    response.socket.on('error', () => undefined);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  } finally {
    child.kill('SIGKILL');
  }
});

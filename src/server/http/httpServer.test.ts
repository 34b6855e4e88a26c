import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { createHttpServer } from './httpServer.ts';

interface Running extends AsyncDisposable {
  server: Server;
  open: () => Promise<Socket>;
}

/**
 * Answers `/large` with 32 MiB, `/late` after the client has closed its side, and everything else with the received
 * body.
 */
async function run(limits: Parameters<typeof createHttpServer>[0] = {}): Promise<Running> {
  const server = createHttpServer(limits);
  const large = Buffer.alloc(32 * 1024 * 1024);
  server.on('request', (request, response) => {
    if (request.url === '/large') response.end(large);
    else if (request.url === '/paced') {
      response.setTimeout(1_500, () => response.destroy());
      response.end(large);
    } else if (request.url === '/late')
      request.socket.once('end', () => setImmediate(() => response.end('late')));
    else
      text(request).then(
        (body) => response.end(`got ${body}`),
        () => undefined,
      );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = address === null || typeof address === 'string' ? 0 : address.port;
  const sockets: Socket[] = [];
  return {
    server,
    async open() {
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
      socket.on('error', () => undefined);
      sockets.push(socket);
      await once(socket, 'connect');
      return socket;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const listConnections = (server: Server): Promise<number> =>
  new Promise((resolve) => server.getConnections((_, count) => resolve(count)));

test('a client that never reads the response is cut off', async () => {
  await using at = await run({ stallMs: 300, stallLookMs: 50 });
  const socket = await at.open();
  socket.pause();
  socket.write('GET /large HTTP/1.1\r\nHost: a\r\n\r\n');
  await expect.poll(() => listConnections(at.server)).toBe(1);
  await expect.poll(() => listConnections(at.server)).toBe(0);
});

test('a response with a longer timeout of its own keeps it', async () => {
  await using at = await run({ stallMs: 100, stallLookMs: 20 });
  const socket = await at.open();
  socket.pause();
  const startedAtMs = performance.now();
  socket.write('GET /paced HTTP/1.1\r\nHost: a\r\n\r\n');
  await expect.poll(() => listConnections(at.server)).toBe(1);
  await expect.poll(() => listConnections(at.server)).toBe(0);
  expect(performance.now() - startedAtMs).toBeGreaterThan(1_400);
});

test('a client that reads slowly gets the whole response', async () => {
  await using at = await run({ stallMs: 300, stallLookMs: 50 });
  const socket = await at.open();
  socket.write('GET /large HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  let bytes = 0;
  let pauses = 0;
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    // A second in total: three times the limit of a client that reads nothing.
    if (bytes < (pauses + 1) * 3 * 1024 * 1024) return;
    pauses += 1;
    socket.pause();
    setTimeout(() => socket.resume(), 100);
  });
  await once(socket, 'end');
  expect(bytes).toBeGreaterThan(32 * 1024 * 1024);
  expect(pauses).toBeGreaterThan(8);
});

test('a client that closes its side after the request gets the response', async () => {
  await using at = await run();
  const socket = await at.open();
  socket.end('GET /late HTTP/1.1\r\nHost: a\r\n\r\n');
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 OK[^]*late$/);
});

test('an upgrade request with a malformed chunked body is closed', async () => {
  await using at = await run({ upgradeBodyMs: 200 });
  const socket = await at.open();
  const head =
    'POST / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: foo\r\nTransfer-Encoding: chunked\r\n\r\n';
  socket.write(`${head}5;\u0000bad\r\nhello\r\n0\r\n\r\n`);
  await expect.poll(() => listConnections(at.server)).toBe(1);
  await expect.poll(() => listConnections(at.server)).toBe(0);
});

test('an upgrade request with a valid chunked body is answered', async () => {
  await using at = await run({ upgradeBodyMs: 200 });
  const socket = await at.open();
  const head =
    'POST / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: foo\r\nTransfer-Encoding: chunked\r\n\r\n';
  socket.write(`${head}5\r\nhello\r\n0\r\n\r\n`);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  expect(String(answer)).toContain('200 OK');
});

import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { expect, test } from 'vitest';
import { disconnectSlowClient, type DownloadLimits } from './exports.ts';

const chunk = Buffer.alloc(64 * 1024);
/** More than sockets buffer on loopback. */
const chunks = 512;
const patient: DownloadLimits = {
  waitMsMax: 60_000,
  bytesPerSecondMin: 1024 ** 3,
  totalMsMax: 60_000,
  checkEveryMs: 10,
};

/** A server that sends 32 MB, and a client that has not read yet. */
async function download(pace: DownloadLimits) {
  const sent = Promise.withResolvers<'whole' | 'cut'>();
  const server = createServer((_request, response) => {
    disconnectSlowClient(response, pace);
    pipeline(Readable.from(Array.from({ length: chunks }, () => chunk)), response).then(
      () => sent.resolve('whole'),
      () => sent.resolve('cut'),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const socket: Socket = connect({ port: address.port, host: '127.0.0.1' });
  socket.on('error', () => undefined);
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  return {
    socket,
    sent: sent.promise,
    async [Symbol.asyncDispose]() {
      socket.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test('a client that reads nothing is cut off', async () => {
  await using reader = await download({ ...patient, waitMsMax: 200 });
  expect(await reader.sent).toBe('cut');
});

test('a client that reads a little now and then is cut off', async () => {
  await using reader = await download({ ...patient, waitMsMax: 200 });
  const { socket } = reader;
  const sip = setInterval(() => void socket.read(1024), 20);
  expect(await reader.sent).toBe('cut');
  clearInterval(sip);
});

test('a client that exceeds the total time is cut off', async () => {
  await using reader = await download({ ...patient, totalMsMax: 200 });
  expect(await reader.sent).toBe('cut');
});

test('a client that keeps the minimum pace gets the whole file', async () => {
  await using reader = await download({ ...patient, waitMsMax: 100, bytesPerSecondMin: 1024 });
  let received = 0;
  for await (const bytes of reader.socket) received += (bytes as Buffer).length;
  expect(received).toBeGreaterThan(chunks * chunk.length);
  expect(await reader.sent).toBe('whole');
});

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { guardedRequest, keepConnections, PrivateAddressError } from './guardedRequest.ts';
import { readBody } from './readBody.ts';

const hosts: (string | undefined)[] = [];
const server = createServer((request, response) => {
  hosts.push(request.headers.host);
  response.end('x'.repeat(100));
});
let port = 0;
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  port = address.port;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const signal = AbortSignal.timeout(10_000);
const at = (host: string): URL => new URL(`http://${host}:${port}/`);

test('a pinned request goes to the given address, whatever DNS says', async () => {
  const response = await guardedRequest(at('no-such-name.invalid'), {
    signal,
    pinnedTo: ['127.0.0.1'],
    allowPrivate: true,
  });
  expect((await readBody(response, { bytesMax: 100 })).length).toBe(100);
  expect(hosts.at(-1)).toBe(`no-such-name.invalid:${port}`);
});

test.each([
  ['an address inside a network', '127.0.0.1', {}],
  ['the same as IPv6', '[::1]', {}],
  ['the same in other figures', '2130706433', {}],
  ['a name pinned to one', 'clinic.example', { pinnedTo: ['127.0.0.1'] }],
  ['a name pinned to one among others', 'clinic.example', { pinnedTo: ['203.0.114.1', '10.0.0.1'] }],
  ['an address that is not among the pinned', '127.0.0.1', { pinnedTo: ['203.0.114.1'] }],
  [
    'the same, even where private ones may be asked',
    '127.0.0.1',
    { pinnedTo: ['127.0.0.2'], allowPrivate: true },
  ],
])('%s is refused, and nothing is sent', async (_, host, options) => {
  const before = hosts.length;
  await expect(async () => guardedRequest(at(host), { signal, ...options })).rejects.toThrow(
    PrivateAddressError,
  );
  expect(hosts.length).toBe(before);
});

test('a URL that is not on the web is refused', async () => {
  await expect(async () => guardedRequest(new URL('file:///etc/passwd'), { signal })).rejects.toThrow(
    'only http and https URLs are allowed',
  );
});

test('a kept connection is reused, and replaced if the server closed it', async () => {
  const opened: Socket[] = [];
  const noted = (socket: Socket): void => void opened.push(socket);
  server.on('connection', noted);
  const connections = keepConnections();
  const ask = async (): Promise<number> => {
    const response = await guardedRequest(at('127.0.0.1'), {
      signal,
      allowPrivate: true,
      connections,
      body: '{}',
    });
    return (await readBody(response, { bytesMax: 100 })).length;
  };
  expect([await ask(), await ask(), await ask()]).toEqual([100, 100, 100]);
  expect(opened).toHaveLength(1);
  // Reset while the next request is being sent.
  server.prependOnceListener('request', ({ socket }) => socket.resetAndDestroy());
  expect(await ask()).toBe(100);
  expect(opened).toHaveLength(2);
  server.off('connection', noted);
});

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { guardedRequest } from './guardedRequest.ts';
import { BodyTooLargeError, readBody, readBodyStart } from './readBody.ts';

/** What each path's response sends. */
const bodies: Record<string, (res: ServerResponse) => void> = {
  '/whole': (res) => res.end('x'.repeat(100)),
  '/chunks': (res) => {
    for (let sent = 0; sent < 10; sent += 1) res.write('x'.repeat(10));
    res.end();
  },
  '/empty': (res) => res.writeHead(204).end(),
  // Ends by a reset, not by an end.
  '/cut': (res) => {
    res.writeHead(200, { 'content-length': 100 });
    res.write('x'.repeat(40), () => res.socket?.resetAndDestroy());
  },
  // Never ends.
  '/slow': (res) => void res.write('x'.repeat(40)),
};
const server = createServer((req, res) => bodies[req.url ?? '']?.(res));
let origin = '';
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  origin = `http://127.0.0.1:${address.port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function nodeResponse(path: string, signal = new AbortController().signal): Promise<IncomingMessage> {
  return guardedRequest(new URL(path, origin), { signal, allowPrivate: true });
}

async function fetchBody(path: string, signal?: AbortSignal): Promise<ReadableStream<Uint8Array> | null> {
  return (await fetch(`${origin}${path}`, { signal: signal ?? null })).body;
}

/** Both kinds of bodies. */
const kinds = [
  { kind: 'a Node response', open: nodeResponse },
  { kind: 'a fetch response', open: fetchBody },
];

for (const { kind, open } of kinds) {
  test.each(['/whole', '/chunks'])(`${kind} of exactly the limit is read whole (%s)`, async (path) => {
    expect((await readBody(await open(path), { bytesMax: 100 })).toString()).toBe('x'.repeat(100));
  });

  test.each(['/whole', '/chunks'])(`${kind} one byte above the limit is rejected (%s)`, async (path) => {
    await expect(readBody(await open(path), { bytesMax: 99 })).rejects.toThrow(BodyTooLargeError);
  });

  test(`${kind} without a body is empty`, async () => {
    expect(await readBody(await open('/empty'), { bytesMax: 0 })).toHaveLength(0);
  });

  test(`${kind} that is cut off is rejected with the stream’s error`, async () => {
    const body = await open('/cut');
    const error: unknown = await readBody(body, { bytesMax: 100 }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toBeInstanceOf(BodyTooLargeError);
  });

  test(`${kind} that is too slow is rejected when its signal aborts`, async () => {
    const slow = new AbortController();
    const reading = readBody(await open('/slow', slow.signal), { bytesMax: 100 });
    slow.abort(new Error('too slow'));
    expect(await reading.catch((error: unknown) => error)).toBeInstanceOf(Error);
  });

  test(`the start of ${kind} ends at the limit or at the end of the body`, async () => {
    expect(await readBodyStart(await open('/chunks'), { bytesMax: 100 })).toHaveLength(100);
    expect(await readBodyStart(await open('/chunks'), { bytesMax: 200 })).toHaveLength(100);
    expect((await readBodyStart(await open('/whole'), { bytesMax: 7 })).toString()).toBe('x'.repeat(7));
  });

  test(`the start of ${kind} that is cut off is what arrived`, async () => {
    expect(await readBodyStart(await open('/cut'), { bytesMax: 100 })).toHaveLength(40);
  });

  test(`the start of ${kind} that is too slow is what arrived`, async () => {
    const slow = new AbortController();
    const body = await open('/slow', slow.signal);
    const reading = readBodyStart(abortAfterFirstChunk(body, slow), { bytesMax: 100 });
    expect(await reading).toHaveLength(40);
  });
}

/** Aborts once the first chunk has been read, as a timeout between two chunks does. */
async function* abortAfterFirstChunk(body: AsyncIterable<Uint8Array> | null, slow: AbortController) {
  for await (const chunk of body ?? []) {
    yield chunk;
    slow.abort(new Error('too slow'));
  }
}

test.each([
  ['a body above the limit', (body: IncomingMessage) => readBody(body, { bytesMax: 99 }).catch(() => null)],
  ['the start of a body', (body: IncomingMessage) => readBodyStart(body, { bytesMax: 10 })],
])('%s closes the response', async (_what, read) => {
  const response = await nodeResponse('/whole');
  await read(response);
  expect(response.destroyed).toBe(true);
});

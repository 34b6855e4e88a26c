import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AppError } from '../errors.ts';
import { readText } from './requestBody.ts';

const bytesMax = 1024;
let noted = Promise.withResolvers<string>();

/** Reads the request and responds with the body's length, or with the code of the error. */
async function respond(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const outcome = await readText(req, bytesMax).then(
    (body) => String(body.length),
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  );
  noted.resolve(outcome);
  res.end(outcome);
}
const server = createServer((req, res) => void respond(req, res));
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

interface Sent {
  headers?: Record<string, string>;
  chunks: (string | Buffer)[];
}

async function post({ headers = {}, chunks }: Sent): Promise<string> {
  const sent = request({ port, host: '127.0.0.1', method: 'POST', headers, agent: false });
  for (const chunk of chunks) sent.write(chunk);
  sent.end();
  const [response] = await once(sent, 'response');
  return text(response);
}

const declared = (length: number) => ({ 'content-length': String(length) });

test.each([
  ['with a declared length', declared(bytesMax)],
  ['in chunks', {}],
])('a body at the limit is read (%s)', async (_how, headers) => {
  expect(await post({ headers, chunks: ['x'.repeat(1000), 'x'.repeat(24)] })).toBe('1024');
});

test.each([
  ['with a declared length', declared(bytesMax + 1)],
  ['in chunks', {}],
])('a declared length above the limit is refused before the body arrives', async (_how, headers) => {
  expect(await post({ headers, chunks: ['x'.repeat(1000), 'x'.repeat(25)] })).toBe('PAYLOAD_TOO_LARGE');
});

test('a declared length above the limit is refused before the body arrives', async () => {
  const sent = request({
    port,
    host: '127.0.0.1',
    method: 'POST',
    headers: declared(bytesMax + 1),
    agent: false,
  });
  sent.flushHeaders();
  const [response] = await once(sent, 'response');
  expect(await text(response)).toBe('PAYLOAD_TOO_LARGE');
  sent.on('error', () => undefined).destroy();
});

test('a body that is cut off is a bad request', async () => {
  noted = Promise.withResolvers();
  const sent = request({ port, host: '127.0.0.1', method: 'POST', headers: declared(100), agent: false });
  sent.on('error', () => undefined);
  sent.write('x', () => sent.destroy());
  expect(await noted.promise).toBe('BAD_REQUEST');
});

test('a body that is not UTF-8 is a bad request', async () => {
  expect(await post({ chunks: [Buffer.from([0xff])] })).toBe('BAD_REQUEST');
});

test('a compressed body is refused', async () => {
  expect(await post({ headers: { 'content-encoding': 'gzip' }, chunks: ['x'] })).toBe(
    'UNSUPPORTED_MEDIA_TYPE',
  );
});

test('a request without a body is empty', async () => {
  expect(await post({ chunks: [] })).toBe('0');
});

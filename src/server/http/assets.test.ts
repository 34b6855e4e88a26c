import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import Koa from 'koa';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { assets } from './assets.ts';

const script = Buffer.from(`console.log(${JSON.stringify('x'.repeat(3000))});`);
const dir = mkdtempSync(path.join(tmpdir(), 'assets-'));
const clientDir = path.join(dir, 'client');
let port = 0;
let stop: () => Promise<unknown>;

beforeAll(async () => {
  mkdirSync(path.join(clientDir, 'assets'), { recursive: true });
  mkdirSync(path.join(clientDir, '.vite'));
  writeFileSync(path.join(dir, 'secret.txt'), 'secret');
  writeFileSync(path.join(clientDir, '.vite/manifest.json'), '{}');
  writeFileSync(path.join(clientDir, 'assets/entry-abc.js'), script);
  writeFileSync(path.join(clientDir, 'assets/entry-abc.js.br'), brotliCompressSync(script));
  writeFileSync(path.join(clientDir, 'assets/entry-abc.js.gz'), gzipSync(script));
  writeFileSync(path.join(clientDir, 'assets/font-abc.woff2'), 'font');
  writeFileSync(path.join(clientDir, 'favicon.svg'), '<svg/>');
  const app = new Koa();
  app.use(assets({ bundle: { clientDir, development: null } }));
  app.use((ctx) => {
    ctx.body = 'page';
  });
  const handle = app.callback();
  const server = createServer((incoming, outgoing) => void handle(incoming, outgoing));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
  stop = () => new Promise((resolve) => server.close(resolve));
});

afterAll(async () => {
  await stop();
  rmSync(dir, { recursive: true });
});

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

function ask(target: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { host: '127.0.0.1', port, path: target, method, headers, agent: false },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks),
          }),
        );
      },
    );
    outgoing.on('error', reject);
    outgoing.end();
  });
}

test('a hashed file is sent in the best accepted encoding and cached for a year', async () => {
  const brotli = await ask('/assets/entry-abc.js', { 'accept-encoding': 'gzip, br' });
  expect(brotli.status).toBe(200);
  expect(brotli.headers).toMatchObject({
    'content-encoding': 'br',
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'Accept-Encoding',
    'content-length': String(brotli.body.length),
  });
  expect(brotliDecompressSync(brotli.body)).toEqual(script);
  const gzipped = await ask('/assets/entry-abc.js', { 'accept-encoding': 'br;q=0.1, gzip' });
  expect(gzipped.headers['content-encoding']).toBe('gzip');
  expect(gunzipSync(gzipped.body)).toEqual(script);
  const plain = await ask('/assets/entry-abc.js', { 'accept-encoding': 'br;q=0' });
  expect(plain.headers['content-encoding']).toBeUndefined();
  expect(plain.body).toEqual(script);
});

test('a file that the client has is not sent again', async () => {
  const { headers } = await ask('/assets/entry-abc.js');
  const again = await ask('/assets/entry-abc.js', { 'if-none-match': `"other", ${String(headers.etag)}` });
  expect(again.status).toBe(304);
  expect(again.body).toHaveLength(0);
  expect(again.headers.etag).toBe(headers.etag);
});

test('HEAD has the headers of GET and no body', async () => {
  const [got, head] = [await ask('/assets/entry-abc.js'), await ask('/assets/entry-abc.js', {}, 'HEAD')];
  expect(head.status).toBe(200);
  expect(head.body).toHaveLength(0);
  expect(head.headers['content-length']).toBe(got.headers['content-length']);
  expect(head.headers['content-type']).toBe(got.headers['content-type']);
});

test('a file without compressed copies is sent as it is', async () => {
  const font = await ask('/assets/font-abc.woff2', { 'accept-encoding': 'br, gzip' });
  expect(font.headers).toMatchObject({ 'content-type': 'font/woff2' });
  expect(font.headers['content-encoding']).toBeUndefined();
  const icon = await ask('/favicon.svg');
  expect(icon.headers).toMatchObject({
    'content-type': 'image/svg+xml',
    'cache-control': 'public, max-age=86400',
  });
});

test.each([
  '/assets/none.js',
  '/assets/',
  '/assets/../../secret.txt',
  '/assets/..%2f..%2fsecret.txt',
  '/assets/entry-abc.js.br',
  '/assets/%00',
  '/assets/__proto__',
])('%s is a 404 without a page', async (target) => {
  const { status, body } = await ask(target);
  expect(status).toBe(404);
  expect(body.toString()).toBe('Not Found');
});

test.each(['/', '/.vite/manifest.json', '/../secret.txt', '/constructor', '/favicon.svg/'])(
  '%s goes on to the pages',
  async (target) => {
    expect((await ask(target)).body.toString()).toBe('page');
  },
);

test('a file accepts no other method', async () => {
  const { status, headers } = await ask('/assets/entry-abc.js', {}, 'POST');
  expect(status).toBe(405);
  expect(headers.allow).toBe('GET, HEAD');
});

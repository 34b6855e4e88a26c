import { createServer } from 'node:http';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Koa from 'koa';
import { expect, test } from 'vitest';
import { createLog } from '../log.ts';
import { buildLines } from '#test/support/logLines.ts';
import { assets, keepAssets } from './assets.ts';

/** A folder of its own for a test, deleted afterwards. */
async function tempFolder(): Promise<{ path: string } & AsyncDisposable> {
  const folder = await mkdtemp(path.join(tmpdir(), 'kept-'));
  return { path: folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) };
}

/** The files of a build, by name. */
async function build(folder: string, files: Record<string, string>): Promise<string> {
  await mkdir(path.join(folder, 'assets'), { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, 'assets', name), text);
  return folder;
}

/** A process of a build that shares a folder with others. */
async function serveBuild(clientDir: string, folder: string): Promise<{ url: string } & AsyncDisposable> {
  const app = new Koa();
  app.use(assets({ bundle: { clientDir, development: null }, kept: { folder, log: createLog('silent') } }));
  const handle = app.callback();
  const server = createServer((incoming, outgoing) => void handle(incoming, outgoing));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

test('during a rolling deployment, each process serves the files of both builds', async () => {
  await using at = await tempFolder();
  const shared = path.join(at.path, 'shared');
  const earlier = await build(path.join(at.path, 'one'), { 'page-old.js': 'old' });
  const later = await build(path.join(at.path, 'two'), { 'page-new.js': 'new' });
  await using one = await serveBuild(earlier, shared);
  await using two = await serveBuild(later, shared);
  const toText = async (url: string) => {
    const response = await fetch(url);
    return response.status === 200 ? response.text() : null;
  };
  await expect.poll(() => toText(`${one.url}/assets/page-new.js`)).toBe('new');
  await expect.poll(() => toText(`${two.url}/assets/page-old.js`)).toBe('old');
  const kept = await fetch(`${two.url}/assets/page-old.js`);
  expect(kept.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(kept.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
});

test.each(['page-none.js', '..%2Fsecret.txt', '.hidden', 'a%00.js', ''])(
  'a name that no build has is a 404: %j',
  async (name) => {
    await using at = await tempFolder();
    const shared = path.join(at.path, 'shared');
    await mkdir(shared);
    await writeFile(path.join(at.path, 'secret.txt'), 'secret');
    await writeFile(path.join(shared, '.hidden'), 'secret');
    await using one = await serveBuild(await build(path.join(at.path, 'one'), {}), shared);
    expect((await fetch(`${one.url}/assets/${name}`)).status).toBe(404);
  },
);

test('a start deletes files that no build has used for thirty days', async () => {
  await using at = await tempFolder();
  const folder = path.join(at.path, 'shared');
  const assetsDir = path.join(
    await build(at.path, { 'page-new.js': 'new', 'font-old.woff2': 'font' }),
    'assets',
  );
  await mkdir(folder);
  const longAgo = new Date(Date.now() - 31 * 86_400_000);
  for (const name of ['page-old.js', 'font-old.woff2']) {
    await writeFile(path.join(folder, name), 'x');
    await utimes(path.join(folder, name), longAgo, longAgo);
  }
  await keepAssets({ folder, assetsDir, log: createLog('silent') }).kept;
  expect((await readdir(folder)).toSorted()).toEqual(['font-old.woff2', 'page-new.js']);
});

test('a folder that cannot be written is logged, and nothing else fails', async () => {
  await using at = await tempFolder();
  const { log, lines } = buildLines();
  const assetsDir = path.join(await build(at.path, { 'page-new.js': 'new' }), 'assets');
  await writeFile(path.join(at.path, 'file'), '');
  const { kept, read } = keepAssets({ folder: path.join(at.path, 'file'), assetsDir, log });
  await kept;
  expect(lines()).toMatchObject([{ msg: 'built files could not be kept for other builds' }]);
  expect(await read('page-new.js')).toBeNull();
});

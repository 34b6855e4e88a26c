import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { constants } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants as zlibConstants, gzip } from 'node:zlib';

const root = fileURLToPath(new URL('..', import.meta.url));
const distDir = path.join(root, 'dist');
const stampFile = path.join(distDir, 'build.json');
const lockFile = path.join(distDir, 'build.lock');
const sources = ['src/client', 'src/shared', 'vite.config.ts', 'package.json', 'package-lock.json'];

/** Below this a compressed copy saves less than a packet. */
const compressMinBytes = 1024;
const textTypes = /\.(?:js|mjs|css|svg|json|txt|xml|ico|map|webmanifest)$/;

async function filesUnder(target: string): Promise<string[]> {
  const info = await stat(target).catch(() => null);
  if (info === null) return [];
  if (info.isFile()) return [target];
  const entries = await readdir(target, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
}

/** Digest of everything the client and server bundles are made from; unit tests and editor leftovers don't count. */
async function sourceDigest(): Promise<string> {
  const found = await Promise.all(sources.map((source) => filesUnder(path.join(root, source))));
  const files = found
    .flat()
    .filter((file) => !/\.test\.tsx?$|~$/.test(file))
    .toSorted();
  const contents = await Promise.all(files.map((file) => readFile(file)));
  const digest = createHash('sha256');
  for (const [index, file] of files.entries()) {
    const content = contents[index] ?? Buffer.alloc(0);
    digest.update(`${path.relative(root, file)}\0${content.length}\0`).update(content);
  }
  return digest.digest('hex');
}

async function isFresh(digest: string): Promise<boolean> {
  const stamp = await readFile(stampFile, 'utf8').catch(() => '');
  return stamp.includes(`"${digest}"`);
}

function processLives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** One builder at a time over all processes of this folder; a lock whose process is gone is taken over. */
async function lock(): Promise<() => Promise<void>> {
  await mkdir(distDir, { recursive: true });
  for (;;) {
    try {
      const handle = await open(lockFile, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY);
      await handle.writeFile(String(process.pid));
      await handle.close();
      return () => rm(lockFile, { force: true });
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
    const [holder, info] = await Promise.all([
      readFile(lockFile, 'utf8').catch(() => ''),
      stat(lockFile).catch(() => null),
    ]);
    // The holder writes its number right after creating the file: an empty lock is a dead one only once it is old.
    const abandoned =
      holder === '' ? info !== null && Date.now() - info.mtimeMs > 5000 : !processLives(Number(holder));
    if (abandoned) await rm(lockFile, { force: true });
    else await delay(100);
  }
}

/** Writes `.br` and `.gz` beside every text file worth it, once, so that no request ever compresses an asset. */
async function compressFiles(dir: string): Promise<void> {
  const brotli = promisify(brotliCompress);
  const gzipped = promisify(gzip);
  for (const file of await filesUnder(dir)) {
    if (!textTypes.test(file) || file.includes(`${path.sep}.vite${path.sep}`)) continue;
    const content = await readFile(file);
    if (content.length <= compressMinBytes) continue;
    const params = {
      [zlibConstants.BROTLI_PARAM_QUALITY]: 11,
      [zlibConstants.BROTLI_PARAM_SIZE_HINT]: content.length,
    };
    const [br, gz] = await Promise.all([brotli(content, { params }), gzipped(content, { level: 9 })]);
    await Promise.all([writeFile(`${file}.br`, br), writeFile(`${file}.gz`, gz)]);
  }
}

async function runVite(outDir: string): Promise<void> {
  // Vite reads and sets NODE_ENV at import.
  process.env['NODE_ENV'] = 'production';
  const { build: viteBuild } = await import('vite');
  const shared = { root, logLevel: 'warn' } as const;
  await viteBuild({ ...shared, build: { outDir: path.join(outDir, 'client'), emptyOutDir: true } });
  await viteBuild({
    ...shared,
    build: { ssr: 'src/client/app/entryServer.tsx', outDir: path.join(outDir, 'server'), emptyOutDir: true },
  });
  await compressFiles(path.join(outDir, 'client'));
}

/**
 * Builds the client and server bundles into `dist` unless they are current. They are made beside the old ones and moved
 * into place under a lock; the stamp is removed first and written last, so that whatever is interrupted counts as
 * stale.
 */
export async function build(): Promise<{ built: boolean }> {
  const unlock = await lock();
  const outDir = path.join(distDir, `.build-${randomUUID()}`);
  try {
    const digest = await sourceDigest();
    if (await isFresh(digest)) return { built: false };
    for (const name of await readdir(distDir)) {
      if (name.startsWith('.build-')) await rm(path.join(distDir, name), { recursive: true, force: true });
    }
    await runVite(outDir);
    await rm(stampFile, { force: true });
    for (const part of ['client', 'server']) {
      await rm(path.join(distDir, part), { recursive: true, force: true });
      await rename(path.join(outDir, part), path.join(distDir, part));
    }
    await writeFile(`${outDir}/build.json`, `${JSON.stringify({ sources: digest })}\n`);
    await rename(`${outDir}/build.json`, stampFile);
    return { built: true };
  } finally {
    await rm(outDir, { recursive: true, force: true });
    await unlock();
  }
}

/** Builds what is stale. In a process of its own: Vite sets NODE_ENV and keeps 100 MB that a server has no use for. */
export async function ensureBuilt(): Promise<{ built: boolean }> {
  if (await isFresh(await sourceDigest())) return { built: false };
  const env = { ...process.env, NODE_ENV: 'production' };
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url)], {
    cwd: root,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [exitCode] = await once(child, 'exit');
  if (exitCode !== 0) throw new Error('The build failed; what went wrong is printed above.');
  return { built: true };
}

if (import.meta.main) {
  const startedAtMs = Date.now();
  const { built } = await build();
  const seconds = ((Date.now() - startedAtMs) / 1000).toFixed(1);
  console.log(
    built ? `Built client and server into dist (${seconds} s).` : 'The bundles in dist are current.',
  );
}
